import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Calls every operation by openapi-generator's `java`. */
public class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    List<String> phones = List.of(System.getenv("PHONE"));
    Token token = new AuthenticationApi(client).issueToken(new TokenRequest()
        .grantType(TokenRequest.GrantTypeEnum.CLIENT_CREDENTIALS)
        .clientId(System.getenv("CLIENT_ID"))
        .clientSecret(System.getenv("CLIENT_SECRET")));
    client.setAccessToken(token.getAccessToken());
    LeadsApi leads = new LeadsApi(client);
    Lead created = leads.createLead(new LeadCreate()
        .leadPhones(phones).budgetMax("2500000")).getLead();
    MergedLead merged = leads.createLead(new LeadCreate().leadPhones(phones)).getMergedLead();
    if (merged.getMatchedOn() == null) throw new AssertionError("It was not merged.");
    leads.updateLead(created.getId(), new LeadUpdate().leadFirstName("Layla"));
    leads.patchLead(created.getId(), new LeadUpdate().leadLastName("Haddad"));
    Assignment assignment = leads.readLeadAssignment(created.getId());
    leads.recordResponseTime(created.getId(), new ResponseTime().seconds(60));
    OffsetDateTime since = OffsetDateTime.now().minusHours(1);
    EventPage events = new EventsApi(client).listEvents(null, since, "desc", null, 50, null);
    for (FeedEvent event : events.getData())
      System.out.println(event.getLeadCreatedEvent().getData().getContactId().equals(created.getContactId()));
    DncrCheckResult check = new DncrApi(client).checkDncr(new DncrCheck().phones(List.of("0501234560")), null);
    ReferenceDataApi reference = new ReferenceDataApi(client);
    DeveloperPage developers = reference.listDevelopers(5, null, null, "e", null, null, null, null, null, null);
    reference.searchDevelopers(5, null, null, "e", null, null, null, null, null, null);
    reference.readDeveloper(developers.getData().get(0).getId());
    LocationPage locations = reference.listLocations(5, null, null, "e", null, null, null, null);
    reference.searchLocations(5, null, null, "e", null, null, null, null);
    reference.readLocation(locations.getData().get(0).getId());
    String ids = reference.readProjectFilters().getFilters().getDeveloper().getValues().stream()
        .map(developer -> developer.getId().toString()).collect(Collectors.joining(","));
    ProjectPage projects = reference.listProjects(null, ids, null, null, null, null, null, null, null, null, "9000000",
        null, null, null, null, null, null, 1, null, null, null, null);
    reference.mapProjects(null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, "26", "24", "56", "54");
    reference.readProject(projects.getData().get(0).getId(), false);
    reference.listProjectStatuses();
    System.out.println(assignment.getStatus() + " " + check.getData().get(0).getStatus());
  }
}
