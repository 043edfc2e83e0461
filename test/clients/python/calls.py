"""The calls with the client that openapi-generator makes for Python."""

import os

import protection
from protection.models import EnrollCreatorBody, Error

name = os.environ["SVC_NAME"]
configuration = protection.Configuration(host=os.environ["SVC_URL"], access_token=os.environ["SVC_KEY"])


def refused(call):
    try:
        call()
    except protection.ApiException as refusal:
        return refusal.status, Error.from_json(refusal.body).error
    raise AssertionError("not refused")


with protection.ApiClient(configuration) as client:
    creators = protection.CreatorsApi(client)
    roster = creators.list_creators(limit=100)
    print("list", len(roster.data))
    user = next(each.svc_user_id for each in roster.data if each.external_id.startswith("svc:"))

    body = {"workspace_id": os.environ["SVC_WORKSPACE"], "display_name": "Ivy Calloway"}
    link = EnrollCreatorBody(**body, external_id=name + "-link", svc_user_id=user)
    answer = creators.enroll_creator_with_http_info(link)
    linked = answer.data
    print("link", answer.status_code, linked.protection_status, linked.created_at)

    person = {"email": name + "@talent.example", "first_name": "Ivy", "last_name": "Calloway"}
    invitation = EnrollCreatorBody(**body, **person, external_id=name + "-invite")
    invited = creators.enroll_creator(invitation)
    print("invite", invited.enrollment_status, invited.email_sent)

    both = EnrollCreatorBody(**body, **person, external_id=name + "-invite", svc_user_id=user)
    status, wrong = refused(lambda: creators.enroll_creator(both))
    print(status, wrong.code, len(wrong.details))
    status, unknown = refused(lambda: creators.get_creator("crt_01m84shndyfewanvze4qf2ae58"))
    print(status, unknown.code)
    # One message a minute: the second is refused.
    creators.resend_invitation(invited.id, name + "-first", {})
    status, too_early = refused(lambda: creators.resend_invitation(invited.id, name + "-second", {}))
    print(status, too_early.code)

    print("report", protection.CasesApi(client).get_report(linked.id).split(",")[0])
    event = protection.EventsApi(client).list_events(limit=100).data[0]
    print("events", event.type, event.data.creator.id == event.data.creator_id)
