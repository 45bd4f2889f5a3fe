import { expect, type Locator } from 'playwright/test';
import type { Hands } from './hands.ts';

/** Lets a team reach clusters, as an Owner does on its page. @param namespaces only these of them */
export async function grantClusters(
  hands: Hands,
  team: Locator,
  clusters: readonly string[],
  namespaces: readonly string[] = [],
): Promise<void> {
  await hands.press(team.getByRole('button', { name: 'Grant clusters…' }));
  const granting = team.page().getByRole('dialog', { name: /^Grant clusters to / });
  for (const name of clusters) await hands.tick(granting.getByRole('checkbox', { name, exact: true }));
  const reach =
    namespaces.length === 0
      ? 'All namespaces also future ones, and cluster-scoped objects'
      : 'Only some namespaces and nothing of the cluster itself';
  await hands.select(granting.getByLabel('What its members reach of them'), reach);
  for (const name of namespaces) await hands.tick(granting.getByRole('checkbox', { name, exact: true }));
  await hands.press(granting.getByRole('button', { name: /^Grant( \d+ clusters)?$/ }));
  await expect(granting).toBeHidden();
}

/** Adds people to a team, as whoever manages its members does on its page. @param people parts of their names */
export async function addMembers(hands: Hands, team: Locator, people: readonly string[]): Promise<void> {
  await hands.press(team.getByRole('button', { name: 'Add members…' }));
  const adding = team.page().getByRole('dialog', { name: /^Add members to / });
  for (const name of people) await hands.tick(adding.getByRole('checkbox', { name }));
  await hands.press(adding.getByRole('button', { name: /^Add (to team|\d+ people)$/ }));
  await expect(adding).toBeHidden();
}
