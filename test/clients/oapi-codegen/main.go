// The calls with the client that oapi-codegen makes.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"clients/generated"

	"github.com/oapi-codegen/runtime/types"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx, name := context.Background(), os.Getenv("SVC_NAME")
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_KEY"))
		return nil
	}
	client, err := generated.NewClientWithResponses(os.Getenv("SVC_URL"), generated.WithRequestEditorFn(withKey))
	check(err)

	limit := 100
	roster, err := client.ListCreatorsWithResponse(ctx, &generated.ListCreatorsParams{Limit: &limit})
	check(err)
	fmt.Println("list", len(roster.JSON200.Data))
	var user *types.UUID
	for _, creator := range roster.JSON200.Data {
		if strings.HasPrefix(creator.ExternalId, "svc:") {
			user = creator.SvcUserId
			break
		}
	}

	body := generated.EnrollCreatorBody{
		WorkspaceId: os.Getenv("SVC_WORKSPACE"), ExternalId: name + "-link", DisplayName: "Ivy Calloway", SvcUserId: user,
	}
	linked, err := client.EnrollCreatorWithResponse(ctx, body)
	check(err)
	fmt.Println("link", linked.StatusCode(), linked.JSON201.ProtectionStatus, linked.JSON201.CreatedAt)

	email, first, last := types.Email(name+"@talent.example"), "Ivy", "Calloway"
	invitation := generated.EnrollCreatorBody{
		WorkspaceId: body.WorkspaceId, ExternalId: name + "-invite", DisplayName: "Ivy Calloway",
		Email: &email, FirstName: &first, LastName: &last,
	}
	invited, err := client.EnrollCreatorWithResponse(ctx, invitation)
	check(err)
	fmt.Println("invite", invited.JSON201.EnrollmentStatus, *invited.JSON201.EmailSent)

	invitation.SvcUserId = user
	wrong, err := client.EnrollCreatorWithResponse(ctx, invitation)
	check(err)
	fmt.Println(wrong.StatusCode(), wrong.JSON400.Error.Code, len(*wrong.JSON400.Error.Details))
	unknown, err := client.GetCreatorWithResponse(ctx, "crt_01m84shndyfewanvze4qf2ae58")
	check(err)
	fmt.Println(unknown.StatusCode(), unknown.JSON404.Error.Code)
	// One message a minute: the second is refused.
	resend := func(key string) *generated.ResendInvitationResponse {
		params := &generated.ResendInvitationParams{IdempotencyKey: name + key}
		answer, err := client.ResendInvitationWithResponse(ctx, invited.JSON201.Id, params, generated.EmptyBody{})
		check(err)
		return answer
	}
	resend("-first")
	tooEarly := resend("-second")
	fmt.Println(tooEarly.StatusCode(), tooEarly.JSON429.Error.Code)

	report, err := client.GetReportWithResponse(ctx, linked.JSON201.Id, &generated.GetReportParams{})
	check(err)
	fmt.Println("report", strings.Split(string(report.Body), ",")[0])
	events, err := client.ListEventsWithResponse(ctx, &generated.ListEventsParams{Limit: &limit})
	check(err)
	event := events.JSON200.Data[0]
	fmt.Println("events", event.Type, event.Data.Creator.Id == event.Data.CreatorId)
}
