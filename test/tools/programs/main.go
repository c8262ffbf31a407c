// Command run calls every operation by openapi-generator's `go`.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must[T any](value T, _ any, err error) T {
	if err != nil {
		if with, is := err.(*openapi.GenericOpenAPIError); is {
			fmt.Fprintln(os.Stderr, string(with.Body()))
		}
		panic(err)
	}
	return value
}

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	api := openapi.NewAPIClient(configuration)
	phone := []string{os.Getenv("PHONE")}

	request := openapi.NewTokenRequest("client_credentials")
	request.SetClientId(os.Getenv("CLIENT_ID"))
	request.SetClientSecret(os.Getenv("CLIENT_SECRET"))
	token := must(api.AuthenticationAPI.IssueToken(context.Background()).TokenRequest(*request).Execute())
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, token.AccessToken)

	lead := openapi.LeadCreate{LeadPhones: phone}
	lead.SetBudgetMax("2500000")
	created := must(api.LeadsAPI.CreateLead(ctx).LeadCreate(lead).Execute()).Lead
	if created == nil {
		panic("it was merged")
	}
	merged := must(api.LeadsAPI.CreateLead(ctx).LeadCreate(openapi.LeadCreate{LeadPhones: phone}).Execute())
	if merged.MergedLead == nil {
		panic("it was not merged")
	}
	update := openapi.LeadUpdate{}
	update.SetLeadFirstName("Layla")
	must(api.LeadsAPI.UpdateLead(ctx, created.Id).LeadUpdate(update).Execute())
	must(api.LeadsAPI.PatchLead(ctx, created.Id).LeadUpdate(update).Execute())
	assignment := must(api.LeadsAPI.ReadLeadAssignment(ctx, created.Id).Execute())
	must(api.LeadsAPI.RecordResponseTime(ctx, created.Id).ResponseTime(openapi.ResponseTime{Seconds: 60}).Execute())
	since := time.Now().Add(-time.Hour)
	events := must(api.EventsAPI.ListEvents(ctx).Limit(50).Order("desc").Since(since).Execute())
	for _, event := range events.Data {
		fmt.Println(event.LeadCreatedEvent != nil && event.LeadCreatedEvent.Data.ContactId == created.ContactId)
	}
	check := must(api.DNCRAPI.CheckDncr(ctx).DncrCheck(openapi.DncrCheck{Phones: []string{"0501234560"}}).Execute())
	reference := api.ReferenceDataAPI
	developers := must(reference.ListDevelopers(ctx).Q("e").Limit(5).Execute())
	must(reference.SearchDevelopers(ctx).Q("e").Limit(5).Execute())
	must(reference.ReadDeveloper(ctx, developers.Data[0].Id).Execute())
	locations := must(reference.ListLocations(ctx).Q("e").Limit(5).Execute())
	must(reference.SearchLocations(ctx).Q("e").Limit(5).Execute())
	must(reference.ReadLocation(ctx, locations.Data[0].Id).Execute())
	filters := must(reference.ReadProjectFilters(ctx).Execute())
	var ids []string
	for _, developer := range filters.Filters.Developer.Values {
		ids = append(ids, developer.Id)
	}
	projects := must(reference.ListProjects(ctx).DeveloperIds(strings.Join(ids, ",")).MaxPrice("9000000").Page(1).Execute())
	must(reference.MapProjects(ctx).North("26").South("24").East("56").West("54").Execute())
	must(reference.ReadProject(ctx, projects.Data[0].Id).Simplified(false).Execute())
	must(reference.ListProjectStatuses(ctx).Execute())
	fmt.Println(assignment.Status, check.Data[0].Status)
}
