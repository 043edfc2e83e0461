/** Ids and times that the examples of all resources share. */
export const EXAMPLE = {
  workspaceId: 'wsp_4wf0fs1vreaantzpvk5ncqmegd',
  keyId: 'key_01m84sh3k2f8xvq6w0r9c4n7td',
  creatorId: 'crt_01m84shndyfewanvze4qf2ae58',
  userId: '07e869e9-5ed8-5550-a30f-fe14b96a9372',
  scanId: 'scn_13s8g9n0vvbrgvvv6nkyjgr8b3',
  jobId: 'job-7f3a91',
  caseId: 'cas_06gb4br11yb8g97tbmbkxmby17',
  deindexRequestId: 'dix_2v9qk4m7wze0b8t1x5c3r6n0ay',
  impersonationId: 'imp_3h8d5t2m9fe6wq0kz4y7r1v8cb',
  eventId: 'evt_01m84shyq1hgwv6gkp1vwswt3f',
  createdAt: 1_795_590_435_036,
  updatedAt: 1_795_590_912_480,
} as const;
