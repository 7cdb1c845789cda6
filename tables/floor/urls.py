"""Addresses of the floor pages."""

from django.urls import path

from casino.staff.pages import unattended
from tables.floor import arranging, corrections, erasing, hands, inbox, lists, panel, people, screens, staff, views

app_name = "floor"
urlpatterns = [
    path("", views.tables, name="tables"),
    path("board/", unattended(views.board), name="board"),
    path("wall/", unattended(views.wall), name="wall"),
    path("screen/", screens.screen, name="screen"),
    path("screen/board/", unattended(screens.board), name="screen-board"),
    path("rooms/<uuid:room_id>/screens/", screens.enrol, name="screen-enrol"),
    path("screens/<uuid:screen_id>/retire/", screens.retire, name="screen-retire"),
    path("rooms/<uuid:room_id>/map/", arranging.arrange, name="map"),
    path("tables/<uuid:table_id>/", panel.table, name="table"),
    path("tables/<uuid:table_id>/facts/", unattended(panel.facts), name="facts"),
    path("tables/<uuid:table_id>/enrol/", views.enrol, name="enrol"),
    path("tables/<uuid:table_id>/tablets/<uuid:device_id>/retire/", views.retire, name="retire"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/items/", unattended(inbox.items), name="inbox-items"),
    path("sessions/<uuid:session_id>/", corrections.session, name="session"),
    path("hands/<uuid:hand_id>/", hands.hand, name="hand"),
    path("hands/<uuid:hand_id>/standing/", unattended(hands.standing), name="hand-standing"),
    path("hands/<uuid:hand_id>/resettle/", corrections.resettle, name="resettle"),
    path("transactions/<uuid:transaction_id>/take-back/", corrections.take_back, name="take-back"),
    path("badges/<uuid:user_id>/unlock/", views.unlock, name="unlock"),
    path("people/", people.people, name="people"),
    path("people/found/", people.found, name="people-found"),
    path("people/csv/", people.people_csv, name="people-csv"),
    path("people/<uuid:patron_id>/", people.patron, name="patron"),
    path("people/<uuid:patron_id>/erase/", erasing.erase, name="erase"),
    path("people/<uuid:patron_id>/lift/", people.lift, name="lift-bar"),
    path("lists/", lists.lists, name="lists"),
    path("lists/now/", unattended(lists.now), name="lists-now"),
    path("lists/add/", lists.add, name="list-add"),
    path("lists/entries/<uuid:entry_id>/", lists.entry, name="list-entry"),
    path("lists/<uuid:list_id>/", lists.history, name="list-history"),
    path("lists/<uuid:list_id>/csv/", lists.history_csv, name="list-csv"),
    path("staff/", staff.staff, name="staff"),
    path("staff/now/", unattended(staff.now), name="staff-now"),
    path("staff/<uuid:user_id>/", staff.person, name="staff-person"),
    path("staff/<uuid:user_id>/pin/", staff.new_pin, name="staff-pin"),
    path("staff/<uuid:user_id>/phone/", staff.reset_phone, name="staff-phone"),
    path("staff/<uuid:user_id>/out/", staff.sign_out, name="staff-sign-out"),
    path("staff/tablets/<uuid:device_id>/out/", staff.tablet_out, name="staff-tablet-out"),
    path("staff/tables/<uuid:table_id>/code/", staff.code, name="staff-code"),
]
