"""Addresses of the floor pages."""

from django.urls import path

from tables.floor import corrections, views

app_name = "floor"
urlpatterns = [
    path("", views.tables, name="tables"),
    path("board/", views.board, name="board"),
    path("tables/<uuid:table_id>/", views.table, name="table"),
    path("tables/<uuid:table_id>/facts/", views.facts, name="facts"),
    path("tables/<uuid:table_id>/enrol/", views.enrol, name="enrol"),
    path("tables/<uuid:table_id>/tablets/<uuid:device_id>/retire/", views.retire, name="retire"),
    path("sessions/<uuid:session_id>/", corrections.session, name="session"),
    path("hands/<uuid:hand_id>/resettle/", corrections.resettle, name="resettle"),
    path("transactions/<uuid:transaction_id>/take-back/", corrections.take_back, name="take-back"),
    path("badges/<uuid:user_id>/unlock/", views.unlock, name="unlock"),
]
