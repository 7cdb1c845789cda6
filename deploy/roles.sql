-- The two roles and the database, by psql as the superuser, once:
--   BACKLINE_OWNER_PASSWORD=… BACKLINE_APP_PASSWORD=… psql --set ON_ERROR_STOP=1 --file deploy/roles.sql
-- The owner makes tables and triggers. The application owns nothing; `migrate` gives it its rights table by table.
\getenv owner_password BACKLINE_OWNER_PASSWORD
\getenv app_password BACKLINE_APP_PASSWORD
CREATE ROLE backline_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE backline_app LOGIN PASSWORD :'app_password';
CREATE DATABASE backline OWNER backline_owner ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C' TEMPLATE template0;
REVOKE ALL ON DATABASE backline FROM PUBLIC;
GRANT CONNECT ON DATABASE backline TO backline_app;
\connect backline
ALTER SCHEMA public OWNER TO backline_owner;
GRANT USAGE ON SCHEMA public TO backline_app;
