"""Calls every operation by openapi-python-client."""
import os
from uuid import UUID
from lead_intake_client import AuthenticatedClient, Client, models
from lead_intake_client.api.authentication import issue_token
from lead_intake_client.api.dncr import check_dncr
from lead_intake_client.api.events import list_events
from lead_intake_client.api.leads import (
    create_lead, patch_lead, read_lead_assignment, record_response_time, update_lead)
from lead_intake_client.api.reference_data import (
    list_developers, list_locations, list_project_statuses, list_projects, map_projects, read_developer,
    read_location, read_project, read_project_filters, search_developers, search_locations)

base_url, phone = os.environ["BASE_URL"], os.environ["PHONE"]
body = models.TokenRequest(
    grant_type="client_credentials", client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"])
token = issue_token.sync(client=Client(base_url=base_url), body=body)
assert isinstance(token, models.Token), token
client = AuthenticatedClient(base_url=base_url, token=token.access_token, raise_on_unexpected_status=True)


def of(kind, result):
    assert isinstance(result, kind), result
    return result


created = of(models.Lead, create_lead.sync(
    client=client, body=models.LeadCreate(lead_phones=[phone], budget_max="2500000")))
of(models.MergedLead, create_lead.sync(client=client, body=models.LeadCreate(lead_phones=[phone])))
of(models.UpdatedLead, update_lead.sync(created.id, client=client, body=models.LeadUpdate(budget_max="3000000")))
patched = patch_lead.sync(created.id, client=client, body=models.LeadUpdate(lead_first_name="Layla"))
assert of(models.UpdatedLead, patched).updated_fields == ["leadFirstName"]
assignment = of(models.Assignment, read_lead_assignment.sync(created.id, client=client))
of(models.RecordedResponseTime, record_response_time.sync(
    created.id, client=client, body=models.ResponseTime(seconds=60)))
events = of(models.EventPage, list_events.sync(client=client, limit=50, order=models.ListEventsOrder.DESC))
for event in events.data:
    print(event.data.contact_id == created.contact_id)
check = of(models.DncrCheckResult, check_dncr.sync(client=client, body=models.DncrCheck(phones=["0501234560"])))
developers = of(models.DeveloperPage, list_developers.sync(client=client, q="e", limit=5))
of(models.DeveloperPage, search_developers.sync(client=client, q="e", limit=5))
of(models.Developer, read_developer.sync(developers.data[0].id, client=client))
locations = of(models.LocationPage, list_locations.sync(client=client, q="e", limit=5))
of(models.LocationPage, search_locations.sync(client=client, q="e", limit=5))
of(models.Location, read_location.sync(locations.data[0].id, client=client))
filters = of(models.ProjectFilters, read_project_filters.sync(client=client)).filters
developer_ids = ",".join(str(one.id) for one in filters.developer.values)
projects = of(models.ProjectPage, list_projects.sync(
    client=client, developer_ids=developer_ids, max_price="9000000", page=1))
of(models.ProjectPins, map_projects.sync(client=client, north="26", south="24", east="56", west="54"))
of(models.Project, read_project.sync(projects.data[0].id, client=client, simplified=False))
assert list_project_statuses.sync(client=client)
print(assignment.status, check.data[0].status)
