/** Name, alias and profiles. All are fictional. */
const CREATORS: readonly (readonly [string, string, string])[] = [
  ['Amara Delacroix-Obi', 'Amara DO', 'onlyfans:amaradelacroix instagram:amara.obi'],
  ['Beckett Lindholm', 'Beck L', 'fansly:beckettl x:beckettl'],
  ['Calla Montrose', 'Calla M', 'onlyfans:callamontrose'],
  ['Dário Vasconcelos', 'Dário V', 'chaturbate:dariov instagram:dario.vasc'],
  ['Esmé Hartwell', 'Esmé H', 'fanvue:esmehart tiktok:esmehart'],
  ['Fintan O’Rourke-Vale', 'Fintan OV', 'onlyfans:fintanov'],
  ['Gwendolyn Achterberg', 'Gwen A', 'mym:gwenachter instagram:gwen.achter'],
  ['Hollis Tremaine', 'Hollis T', 'stripchat:hollistre x:hollistre'],
  ['Inês Carvalhal', 'Inês C', 'onlyfans:inescarv'],
  ['Jasper Quillfeather', 'Jasper Q', 'fansly:jasperquill tiktok:jasperquill'],
  ['Katarzyna Wolska', 'Kasia W', 'onlyfans:kasiawolska instagram:kasia.wolska'],
  ['Lior Ben-Ashkar', 'Lior BA', 'fanvue:liorba'],
  ['Mirela Stanciu', 'Mirela S', 'mym:mirelastan x:mirelastan'],
  ['Nils Øvergaard', 'Nils Ø', 'chaturbate:nilsover'],
  ['Ottilie Brandt', 'Otti B', 'onlyfans:ottibrandt tiktok:ottibrandt'],
  ['Paloma Izquierdo', 'Palo I', 'fansly:palomaizq instagram:paloma.izq'],
  ['Quentin Abernathy', 'Quent A', 'onlyfans:quentaber'],
  ['Rosalind Ekwueme', 'Rosa E', 'fanvue:rosaekw instagram:rosa.ekw'],
  ['Théodora Lamarche', 'Théo L', 'mym:theolamarche'],
  ['Yuki Hoshizora', 'Yuki H', 'onlyfans:yukihoshi x:yukihoshi'],
];

/** The demo agency's creators besides those of the sandbox; all are eligible. */
export const MORE_CREATORS = CREATORS.map(([display_name, alias, handles]) => {
  const profiles = handles.split(' ').map((handle) => {
    const [platform, username] = handle.split(':');
    return { platform, username, profile_id: null };
  });
  return { display_name, aliases: [alias], profiles };
});
