"""Addresses of the floor pages."""

from django.urls import path

from tables.floor import views

app_name = "floor"
urlpatterns = [
    path("", views.tables, name="tables"),
    path("board/", views.board, name="board"),
    path("tables/<uuid:table_id>/", views.table, name="table"),
    path("tables/<uuid:table_id>/facts/", views.facts, name="facts"),
    path("tables/<uuid:table_id>/enrol/", views.enrol, name="enrol"),
    path("tables/<uuid:table_id>/tablets/<uuid:device_id>/retire/", views.retire, name="retire"),
    path("badges/<uuid:user_id>/unlock/", views.unlock, name="unlock"),
]
