// The calls with the client that progenitor makes.
use std::{env::var, error::Error as StdError, num::NonZeroU64};

use futures::TryStreamExt;
use reqwest::header::{HeaderMap, HeaderValue, AUTHORIZATION};

progenitor::generate_api!("openapi-3.0.json");

type Outcome<T> = Result<T, Box<dyn StdError>>;

fn refusal<T>(answer: Result<ResponseValue<T>, Error<types::Error>>) -> Outcome<(u16, types::ErrorError)> {
    match answer {
        Ok(_) => Err("it was not refused".into()),
        Err(Error::ErrorResponse(answer)) => Ok((answer.status().as_u16(), answer.into_inner().error)),
        Err(other) => Err(other.into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let name = var("SVC_NAME")?;
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_str(&format!("Bearer {}", var("SVC_KEY")?))?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let client = Client::new_with_client(&var("SVC_URL")?, http);
    let limit = NonZeroU64::new(100);

    let roster = client.list_creators(None, limit).await?.into_inner();
    println!("list {}", roster.data.len());
    let user = roster.data.iter().find(|creator| creator.external_id.starts_with("svc:")).and_then(|creator| creator.svc_user_id);

    let link = types::EnrollCreatorBody {
        workspace_id: var("SVC_WORKSPACE")?.parse()?,
        external_id: format!("{name}-link").parse()?,
        display_name: "Ivy Calloway".parse()?,
        svc_user_id: user,
        aliases: vec![],
        profile_urls: vec![],
        email: None,
        first_name: None,
        last_name: None,
        locale: None,
    };
    let linked = client.enroll_creator(&link).await?;
    println!("link {} {} {}", linked.status().as_u16(), linked.protection_status, linked.created_at);

    let invitation = types::EnrollCreatorBody {
        external_id: format!("{name}-invite").parse()?,
        svc_user_id: None,
        email: Some(format!("{name}@talent.example").parse()?),
        first_name: Some("Ivy".parse()?),
        last_name: Some("Calloway".parse()?),
        ..link
    };
    let invited = client.enroll_creator(&invitation).await?;
    println!("invite {} {}", invited.enrollment_status, invited.email_sent.unwrap_or(false));

    let wrong = types::EnrollCreatorBody { svc_user_id: user, ..invitation };
    let (status, error) = refusal(client.enroll_creator(&wrong).await)?;
    println!("{status} {} {}", error.code, error.details.len());
    let (status, error) = refusal(client.get_creator(&"crt_01m84shndyfewanvze4qf2ae58".parse()?).await)?;
    println!("{status} {}", error.code);
    // One message a minute: the second is refused.
    let (invitee, empty) = (invited.id.parse()?, types::EmptyBody {});
    client.resend_invitation(&invitee, &format!("{name}-first").parse()?, &empty).await?;
    let too_early = client.resend_invitation(&invitee, &format!("{name}-second").parse()?, &empty).await;
    let (status, error) = refusal(too_early)?;
    println!("{status} {}", error.code);

    let pieces = client.get_report(&linked.id.parse()?, None, None).await?.into_inner().into_inner();
    let report = pieces.map_ok(|piece| piece.to_vec()).try_concat().await?;
    println!("report {}", String::from_utf8(report)?.split(',').next().unwrap_or_default());
    let events = client.list_events(None, limit).await?.into_inner();
    let event = &events.data[0];
    let shown = event.data.creator.as_ref().is_some_and(|creator| *creator.id == *event.data.creator_id);
    println!("events {} {shown}", event.type_);
    Ok(())
}
