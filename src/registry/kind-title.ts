/** Letters at the end of a kind's name that its plural may write otherwise: Policy and Policies, Analysis and Analyses. */
const mostChanged = 2;

/**
 * The plural of a kind as people write it, in the kind's own letters: `KafkaTopics` from KafkaTopic and kafkatopics,
 * `NetworkPolicies` from NetworkPolicy and networkpolicies. The kind itself where its plural is another word.
 * @param plural as API servers write it, in small letters
 */
export function pluralTitle(kind: string, plural: string): string {
  const small = kind.toLowerCase();
  let same = 0;
  while (same < small.length && small[same] === plural[same]) same += 1;
  return same > 0 && same >= small.length - mostChanged ? kind.slice(0, same) + plural.slice(same) : kind;
}
