"""How the parameters of rule sets are written on a page."""

from django import template

from tables.rule_words import difference_in_words, parameter_in_words, value_in_words
from tables.rules.rulesets import Difference
from tables.selectors.rules import ParameterRow

register = template.Library()


@register.filter
def parameter_name(row: ParameterRow) -> str:
    """What a parameter is called."""
    return parameter_in_words(row.parameter.name)


@register.filter
def parameter_value(row: ParameterRow) -> list[str]:
    """A parameter's value in words, line by line."""
    return value_in_words(row.parameter.name, row.value)


@register.filter
def difference_words(difference: Difference) -> str:
    """What a rule set has otherwise, and what it was."""
    return difference_in_words(difference)


@register.filter
def difference_name(difference: Difference) -> str:
    """What the parameter is called that a rule set has otherwise."""
    return parameter_in_words(difference.parameter)
