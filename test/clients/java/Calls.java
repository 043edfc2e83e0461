import java.util.Map;
import java.util.UUID;
import protection.ApiClient;
import protection.ApiException;
import protection.ApiResponse;
import protection.api.CasesApi;
import protection.api.CreatorsApi;
import protection.api.EventsApi;
import protection.model.Creator;
import protection.model.EnrollCreatorBody;
import protection.model.Event;
import protection.model.FullCreator;

/** The calls with the client that openapi-generator makes for Java. */
public final class Calls {
  private interface Call {
    void run() throws ApiException;
  }

  private static final String NAME = System.getenv("SVC_NAME");
  private static final String WORKSPACE = System.getenv("SVC_WORKSPACE");

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("SVC_URL"));
    client.setBearerToken(System.getenv("SVC_KEY"));
    CreatorsApi creators = new CreatorsApi(client);

    var roster = creators.listCreators(100, null).getData();
    System.out.println("list " + roster.size());
    UUID user = roster.stream().filter(each -> each.getExternalId().startsWith("svc:")).map(FullCreator::getSvcUserId).findFirst().get();

    EnrollCreatorBody link = body("-link").svcUserId(user);
    ApiResponse<Creator> answer = creators.enrollCreatorWithHttpInfo(link);
    Creator linked = answer.getData();
    System.out.println("link " + answer.getStatusCode() + " " + linked.getProtectionStatus() + " " + linked.getCreatedAt());

    EnrollCreatorBody invitation = body("-invite").email(NAME + "@talent.example").firstName("Ivy").lastName("Calloway");
    Creator invited = creators.enrollCreator(invitation);
    System.out.println("invite " + invited.getEnrollmentStatus() + " " + invited.getEmailSent());

    refused(true, () -> creators.enrollCreator(invitation.svcUserId(user)));
    refused(false, () -> creators.getCreator("crt_01m84shndyfewanvze4qf2ae58"));
    // One message a minute: the second is refused.
    creators.resendInvitation(invited.getId(), NAME + "-first", Map.of());
    refused(false, () -> creators.resendInvitation(invited.getId(), NAME + "-second", Map.of()));

    System.out.println("report " + new CasesApi(client).getReport(linked.getId(), null, null).split(",")[0]);
    Event event = new EventsApi(client).listEvents(100, null).getData().get(0);
    boolean isSame = event.getData().getCreator().getId().equals(event.getData().getCreatorId());
    System.out.println("events " + event.getType() + " " + isSame);
  }

  private static EnrollCreatorBody body(String suffix) {
    return new EnrollCreatorBody().workspaceId(WORKSPACE).externalId(NAME + suffix).displayName("Ivy Calloway");
  }

  private static void refused(boolean hasDetails, Call call) throws Exception {
    try {
      call.run();
    } catch (ApiException refusal) {
      var error = protection.model.Error.fromJson(refusal.getResponseBody()).getError();
      System.out.println(refusal.getCode() + " " + error.getCode() + (hasDetails ? " " + error.getDetails().size() : ""));
      return;
    }
    throw new IllegalStateException("not refused");
  }
}
