/** How many letters at the end of a kind's name its plural may replace: Policy and Policies, Analysis and Analyses. */
const maxReplacedLetters = 2;

/**
 * The plural of a kind with the kind's own capitals: `KafkaTopics` from KafkaTopic and kafkatopics, `NetworkPolicies`
 * from NetworkPolicy and networkpolicies. The kind itself if its plural is a different word.
 * @param plural the plural as API servers write it, in lower case
 */
export function pluralTitle(kind: string, plural: string): string {
  const small = kind.toLowerCase();
  let same = 0;
  while (same < small.length && small[same] === plural[same]) same += 1;
  return same > 0 && same >= small.length - maxReplacedLetters
    ? kind.slice(0, same) + plural.slice(same)
    : kind;
}

/** The title of a kind of which only the plural is known: with a capital, as kinds have one. */
export function titleOfPlural(plural: string | undefined): string {
  return plural === undefined ? 'Custom resources' : plural.slice(0, 1).toUpperCase() + plural.slice(1);
}
