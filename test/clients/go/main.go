// The calls with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	protection "clients/generated"
)

func check(err error) {
	if err == nil {
		return
	}
	var refused *protection.GenericOpenAPIError
	if errors.As(err, &refused) {
		log.Fatalf("%v: %s", err, refused.Body())
	}
	log.Fatal(err)
}

func refusal(err error) protection.ErrorError {
	var refused *protection.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatalf("not refused: %v", err)
	}
	model, isError := refused.Model().(protection.Error)
	if !isError {
		log.Fatalf("not an Error: %v", err)
	}
	return model.Error
}

func main() {
	name := os.Getenv("SVC_NAME")
	configuration := protection.NewConfiguration()
	configuration.Servers = protection.ServerConfigurations{{URL: os.Getenv("SVC_URL")}}
	client := protection.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), protection.ContextAccessToken, os.Getenv("SVC_KEY"))

	roster, _, err := client.CreatorsAPI.ListCreators(ctx).Limit(100).Execute()
	check(err)
	fmt.Println("list", len(roster.Data))
	userId := ""
	for _, creator := range roster.Data {
		if strings.HasPrefix(creator.ExternalId, "svc:") {
			userId = creator.GetSvcUserId()
			break
		}
	}

	body := protection.NewEnrollCreatorBody(os.Getenv("SVC_WORKSPACE"), name+"-link", "Ivy Calloway")
	body.SetSvcUserId(userId)
	linked, answer, err := client.CreatorsAPI.EnrollCreator(ctx).EnrollCreatorBody(*body).Execute()
	check(err)
	fmt.Println("link", answer.StatusCode, linked.ProtectionStatus, linked.CreatedAt)

	invitation := protection.NewEnrollCreatorBody(os.Getenv("SVC_WORKSPACE"), name+"-invite", "Ivy Calloway")
	invitation.SetEmail(name + "@talent.example")
	invitation.SetFirstName("Ivy")
	invitation.SetLastName("Calloway")
	invited, _, err := client.CreatorsAPI.EnrollCreator(ctx).EnrollCreatorBody(*invitation).Execute()
	check(err)
	fmt.Println("invite", invited.EnrollmentStatus, invited.GetEmailSent())

	invitation.SetSvcUserId(userId)
	_, answer, err = client.CreatorsAPI.EnrollCreator(ctx).EnrollCreatorBody(*invitation).Execute()
	wrong := refusal(err)
	fmt.Println(answer.StatusCode, wrong.Code, len(wrong.Details))
	_, answer, err = client.CreatorsAPI.GetCreator(ctx, "crt_01m84shndyfewanvze4qf2ae58").Execute()
	fmt.Println(answer.StatusCode, refusal(err).Code)
	// One message a minute: the second is refused.
	resend := client.CreatorsAPI.ResendInvitation(ctx, invited.Id).Body(map[string]interface{}{})
	_, _, err = resend.IdempotencyKey(name + "-first").Execute()
	check(err)
	_, answer, err = resend.IdempotencyKey(name + "-second").Execute()
	fmt.Println(answer.StatusCode, refusal(err).Code)

	report, _, err := client.CasesAPI.GetReport(ctx, linked.Id).Execute()
	check(err)
	fmt.Println("report", strings.Split(report, ",")[0])
	events, _, err := client.EventsAPI.ListEvents(ctx).Limit(100).Execute()
	check(err)
	event := events.Data[0]
	fmt.Println("events", event.Type, event.Data.Creator.Id == event.Data.CreatorId)
}
