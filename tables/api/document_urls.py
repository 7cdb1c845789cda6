"""Addresses of the API's document."""

from django.urls import path

from tables.api import documents

app_name = "api-document"
urlpatterns = [
    path("schema/", documents.Schema.as_view(), name="schema"),
    path("docs/", documents.docs, name="docs"),
]
