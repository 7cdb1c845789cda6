"""What a tile of the floor is drawn of, where a template would take longer than all the rest of the page."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from tables.selectors.floor_tiles import Dot

register = template.Library()


@register.filter
def drawn(dots: Sequence[Dot]) -> SafeString:
    """The seats of a tile, each a dot of its kind; what they say in words stands beside them."""
    return format_html_join(
        "",
        '<span class="dot {}{}" aria-hidden="true"></span>',
        ((dot.kind, " button-here" if dot.has_button else "") for dot in dots),
    )
