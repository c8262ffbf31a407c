-- The two roles of the database. The owner has the schema and runs migrations; the service reads and writes rows.
-- `migrate` runs this as its administrator before and after the migrations. What is in place is left alone, so that an
-- administrator who may create no roles needs only the rights that are missing.
do $$
declare
  owner name := current_setting('roles.owner');
  service name := current_setting('roles.service');
  password text := current_setting('roles.password');
  statement text;
begin
  if not exists (select from pg_roles where rolname = owner) then
    execute format('create role %I nologin', owner);
  end if;
  if not exists (select from pg_roles where rolname = service) then
    execute format('create role %I login password %L', service, password);
  elsif current_setting('roles.refused') = 'true' then
    execute format('alter role %I login password %L', service, password);
  end if;

  for statement in
    select format('revoke %I from %I', owner, service)
    from pg_auth_members where pg_get_userbyid(roleid) = owner and pg_get_userbyid(member) = service union all
    select format('alter role %I nosuperuser nocreatedb nocreaterole noreplication nobypassrls', service)
    from pg_roles where rolname = service and (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls)
    union all select format('alter database %I owner to %I', datname, owner)
    from pg_database where datname = current_database() and pg_get_userbyid(datdba) = service
    union all select format('alter schema public owner to %I', owner)
    from pg_namespace where nspname = 'public' and pg_get_userbyid(nspowner) = service
    union all select format('grant create on database %I to %I', current_database(), owner)
    where not has_database_privilege(owner, current_database(), 'create')
      and (select count(*) from pg_extension where extname in ('pg_trgm', 'unaccent')) < 2
    union all select format('grant create, usage on schema public to %I', owner)
    where not has_schema_privilege(owner, 'public', 'create')
    union all select format('revoke create on schema public from public, %I', service)
    from pg_namespace, aclexplode(nspacl) where nspname = 'public' and privilege_type = 'CREATE'
      and (grantee = 0 or pg_get_userbyid(grantee) = service)
    union all select format('alter %s %s owner to %I', type, identity, owner)
    from (
      select 'pg_class'::regclass as class, oid, relowner as held_by from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
      union all select 'pg_proc'::regclass, oid, proowner from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    ) objects, pg_identify_object(class, oid, 0)
    where pg_get_userbyid(held_by) <> owner
    union all select format('grant connect on database %I to %I', current_database(), service)
    where not has_database_privilege(service, current_database(), 'connect')
    union all select format('grant usage on schema public to %I', service)
    where not has_schema_privilege(service, 'public', 'usage')
    union all select format('alter default privileges for role %I in schema public '
      'grant select, insert, update, delete on tables to %I', owner, service)
  loop
    execute statement;
  end loop;

  execute format('grant select, insert, update, delete on all tables in schema public to %I', service);
  if to_regclass('public.mikro_orm_migrations') is not null then
    execute format('revoke insert, update, delete on mikro_orm_migrations from %I', service);
  end if;
end $$;
