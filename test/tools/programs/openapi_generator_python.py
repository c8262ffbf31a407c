"""Calls every operation by openapi-generator's `python`."""
import datetime, os
import openapi_client as client

configuration = client.Configuration(host=os.environ["BASE_URL"])
with client.ApiClient(configuration) as open_api:
    token = client.AuthenticationApi(open_api).issue_token(client.TokenRequest(
        grant_type="client_credentials",
        client_id=os.environ["CLIENT_ID"],
        client_secret=os.environ["CLIENT_SECRET"],
    ))
configuration.access_token = token.access_token
phone = os.environ["PHONE"]
with client.ApiClient(configuration) as api:
    leads, reference = client.LeadsApi(api), client.ReferenceDataApi(api)
    created = leads.create_lead(client.LeadCreate(
        lead_phones=[phone], budget_max="2500000")).actual_instance
    assert isinstance(created, client.Lead), created
    merged = leads.create_lead(client.LeadCreate(lead_phones=[phone])).actual_instance
    assert isinstance(merged, client.MergedLead), merged
    assert leads.update_lead(created.id, client.LeadUpdate(budget_max="3000000")).updated
    assert leads.patch_lead(created.id, client.LeadUpdate(lead_first_name="Layla")).updated_fields == ["leadFirstName"]
    assignment = leads.read_lead_assignment(created.id)
    leads.record_response_time(created.id, client.ResponseTime(seconds=60))
    since = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
    events = client.EventsApi(api).list_events(limit=50, order="desc", since=since)
    for event in events.data:
        print(event.actual_instance.data.contact_id == created.contact_id)
    check = client.DNCRApi(api).check_dncr(client.DncrCheck(phones=["0501234560"]))
    developers = reference.list_developers(q="e", limit=5)
    reference.search_developers(q="e", limit=5)
    reference.read_developer(developers.data[0].id)
    locations = reference.list_locations(q="e", limit=5)
    reference.search_locations(q="e", limit=5)
    reference.read_location(locations.data[0].id)
    filters = reference.read_project_filters().filters
    developer_ids = ",".join(str(one.id) for one in filters.developer.values)
    projects = reference.list_projects(developer_ids=developer_ids, max_price="9000000", page=1)
    reference.map_projects(north="26", south="24", east="56", west="54")
    reference.read_project(projects.data[0].id, simplified=False)
    reference.list_project_statuses()
    print(assignment.status, check.data[0].status)
