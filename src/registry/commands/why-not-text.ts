import type { WhyNotAnswer } from '../../contract/roles.ts';

/** Names of people in a sentence, at most. */
const maxNames = 4;

function listed(names: readonly string[]): string {
  const shown =
    names.length > maxNames ? [...names.slice(0, maxNames), `${names.length - maxNames} more`] : [...names];
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

/**
 * The answer to “Why can I not …?” in sentences: what is missing where, then who can grant it.
 * @param what the title of what cannot be done, where it has one
 */
export function whyNotText(
  what: string | undefined,
  { cluster, namespace, team, missing, owners, teamAdmins }: WhyNotAnswer,
): { readonly title: string; readonly detail: string } {
  const it = what === undefined ? 'This' : `“${what}”`;
  const place = namespace === undefined ? '' : ` in the namespace ${namespace}`;
  const inTeam = team === undefined ? 'in your organisation' : `in the team ${team}`;
  const where = cluster === undefined ? inTeam : `on ${cluster}${place}`;
  if (missing.length === 0) {
    return {
      title: `You have every permission that ${what === undefined ? 'this' : it} needs ${where}.`,
      detail: 'If it is still missing, reload the page. Each object shows what is possible at the moment.',
    };
  }
  const ofOwners = `${owners.length === 1 ? 'The Owner of your organisation is' : 'The Owners of your organisation are'} ${listed(owners)}.`;
  if (missing.includes('owner')) {
    return { title: `${it} is for Owners ${where}, and you are not an Owner.`, detail: ofOwners };
  }
  if (missing.includes('team')) {
    const names = teamAdmins.map(({ name }) => name);
    return {
      title: `${it} is for TeamAdmins and Owners ${where}, and you are neither.`,
      detail: [
        ...(names.length === 0
          ? []
          : [`${names.length === 1 ? 'Its TeamAdmin is' : 'Its TeamAdmins are'} ${listed(names)}.`]),
        ofOwners,
      ].join('\n'),
    };
  }
  const admins = teamAdmins.map(({ name, team }) => `${name} (TeamAdmin of ${team})`);
  return {
    title: `${it} needs ${listed(missing)} ${where}, which you do not have.`,
    detail: [
      ...(admins.length === 0 ? [] : [`${listed(admins)} can give you a role that includes it.`]),
      `An Owner of your organisation can grant it: ${listed(owners)}.`,
    ].join('\n'),
  };
}
