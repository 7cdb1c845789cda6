"""Compresses what the tablet loads: scripts, styles and words. Nothing that carries a secret, so BREACH has nothing to guess."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_TEXT = ("text/css", "text/javascript", "image/svg+xml", "application/manifest+json")


class CompressionMiddleware(GZipMiddleware):
    """Django's own compression, for these kinds of file alone. Stands above WhiteNoise, which sends the files."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress the answer where it is such a file and the browser takes it compressed."""
        if response.headers.get("Content-Type", "").split(";")[0] not in _TEXT:
            return response
        return super().process_response(request, response)
