import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  orgRoles,
  type Permission,
  permissionsOfRole,
  type TeamRole,
  teamRoles,
  viewOf,
} from '../../../src/contract/permissions.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { AccessRequests } from '../../../src/server/organisation/access-requests.ts';
import { Members } from '../../../src/server/organisation/members.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { rounds } from '../../prove.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import { unlimited } from './unlimited.ts';
import { hasten } from './access-office.ts';
import { memberOf } from './member-of.ts';
import { isDone, provesByWalks, type Step, type Walk } from './walk.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.close());

const watched: readonly Permission[] = ['deployments.manage', 'pods.manage', 'pods.view', 'secrets.view'];
/** `rest` stands for all that no grant names: only a grant on the whole cluster reaches it. */
const places = ['shop', 'data', 'rest'] as const;

/** A team as the walk believes it to be. */
interface BelievedTeam {
  readonly id: number;
  readonly namespaces: readonly string[] | null;
  /** Role by person. */
  readonly roles: Map<number, TeamRole>;
}

/** A request as the walk believes it to be; nothing of it is read from the store. */
interface BelievedRequest {
  readonly id: number;
  readonly userId: number;
  readonly permissions: readonly Permission[];
  readonly namespaces: readonly string[] | null;
  state: 'pending' | 'active' | 'over';
  decidedBy: number | undefined;
  /** The team by which it was approved. */
  team: BelievedTeam | undefined;
}

interface Office {
  readonly clusterId: number;
  readonly people: readonly Member[];
  readonly teams: readonly BelievedTeam[];
  readonly requests: BelievedRequest[];
  readonly suspended: Set<number>;
}

const within = (namespaces: readonly string[] | null) => namespaces ?? places;
const pairsOf = (names: readonly Permission[], where: readonly string[]) =>
  names.filter((name) => watched.includes(name)).flatMap((name) => where.map((place) => `${name} ${place}`));

async function furnish(): Promise<Office> {
  const companyId = await console.company();
  const clusterId = await console.cluster(companyId);
  const people: Member[] = [];
  for (let index = 0; index < 5; index += 1) {
    const isOwner = index === 0;
    const orgRole = isOwner ? orgRoles.Owner : orgRoles.Member;
    people.push(memberOf(await console.person({ companyId, isOwner }), companyId, orgRole));
  }
  const teams: BelievedTeam[] = [];
  const [, admin, deputy, first, second] = people;
  for (const [namespaces, roles] of [
    [
      null,
      [
        [admin, teamRoles.TeamAdmin],
        [first, teamRoles.Viewer],
        [second, teamRoles.Viewer],
      ],
    ],
    [
      ['shop'],
      [
        [deputy, teamRoles.TeamAdmin],
        [admin, teamRoles.Viewer],
        [first, teamRoles.Viewer],
      ],
    ],
  ] as const) {
    const id = await console.grant(companyId, people[0]?.id ?? 0, clusterId, teamRoles.Viewer, namespaces);
    const team = { id, namespaces, roles: new Map<number, TeamRole>() };
    for (const [person, role] of roles) {
      await console.join(companyId, id, person?.id ?? 0, role);
      team.roles.set(person?.id ?? 0, role);
    }
    teams.push(team);
  }
  return { clusterId, people, teams, requests: [], suspended: new Set() };
}

/** The pairs that somebody holds by the roles of their teams. */
function lastingOf({ teams, suspended }: Office, userId: number): Set<string> {
  if (suspended.has(userId)) return new Set();
  return new Set(
    teams.flatMap(({ namespaces, roles }) => {
      const role = roles.get(userId);
      return role === undefined ? [] : pairsOf(permissionsOfRole(role), within(namespaces));
    }),
  );
}

/** All pairs that somebody may hold at most and at least: by their teams, and for a while. */
function heldOf(office: Office, userId: number): Set<string> {
  const lasting = lastingOf(office, userId);
  if (lasting.size === 0) return lasting;
  const given = office.requests
    .filter((one) => one.userId === userId && one.state === 'active')
    .flatMap(({ permissions, namespaces, team }) =>
      pairsOf(
        permissions,
        within(namespaces).filter((place) => team === undefined || within(team.namespaces).includes(place)),
      ),
    );
  return new Set([...lasting, ...given]);
}

/** By what somebody may decide on a request: true for an Owner, or the team. */
function decidesBy(office: Office, by: Member, of: BelievedRequest): true | BelievedTeam | undefined {
  if (by.id === of.userId || office.suspended.has(by.id)) return undefined;
  if (by.orgRole === orgRoles.Owner) return true;
  const lasting = lastingOf(office, by.id);
  if (!pairsOf(of.permissions, within(of.namespaces)).every((pair) => lasting.has(pair))) return undefined;
  return office.teams.find(
    ({ namespaces, roles }) =>
      roles.get(by.id) === teamRoles.TeamAdmin &&
      roles.has(of.userId) &&
      within(of.namespaces).every((place) => within(namespaces).includes(place)),
  );
}

async function walkAt(walk: Walk): Promise<void> {
  const office = await furnish();
  const { people, teams, requests, suspended, clusterId } = office;
  const { store, services } = console;
  const { grants } = services;
  const access = new AccessRequests({ store, grants });
  const members = new Members({ store, grants, limits: unlimited });
  const one = <T>(of: readonly T[]): T => walk.one(of) as T;
  const [owner] = people as [Member];
  const endThoseOf = (userId: number, team?: BelievedTeam) => {
    for (const of of requests) {
      if (of.userId !== userId) continue;
      if (team === undefined || (of.state === 'active' && of.team === team)) of.state = 'over';
    }
  };

  const steps: Readonly<Record<string, Step>> = {
    async ask() {
      const person = one(people.slice(1));
      const names = [one<Permission>(['deployments.manage', 'pods.manage', 'secrets.view'])];
      const namespaces = one([null, ['shop'], ['data', 'shop']]);
      const held = heldOf(office, person.id);
      const asked = names
        .flatMap((name) => [name, viewOf(name) ?? name])
        .filter((name) => watched.includes(name))
        .filter((name) => !pairsOf([name], within(namespaces)).every((pair) => held.has(pair)));
      const waiting = requests.filter((of) => of.userId === person.id && of.state === 'pending').length;
      let id = 0;
      const done = await isDone(async () => {
        const request = await access.ask(person, {
          clusterId,
          permissions: names,
          namespaces,
          reason: 'An incident',
          minutes: 60,
        });
        id = request.id;
        asked.splice(0, asked.length, ...request.permissions);
      });
      // Of what is not watched, something to see may be missing where the rest is held.
      if (asked.length > 0) expect(done, walk.told).toBe(held.size > 0 && waiting < 10);
      if (!done) return;
      const rest = { state: 'pending' as const, decidedBy: undefined, team: undefined };
      requests.push({ id, userId: person.id, permissions: asked, namespaces, ...rest });
    },
    async approve() {
      if (requests.length === 0) return;
      const of = one(requests);
      const by = one(people);
      const authority = decidesBy(office, by, of);
      const may = authority !== undefined && of.state === 'pending' && !suspended.has(of.userId);
      const done = await isDone(() => access.approve(by, of.id));
      expect(done, `${walk.told} by ${people.indexOf(by)}`).toBe(may);
      if (done)
        Object.assign(of, {
          state: 'active',
          decidedBy: by.id,
          team: authority === true ? undefined : authority,
        });
    },
    async refuse() {
      if (requests.length === 0) return;
      const of = one(requests);
      const by = one(people);
      const may =
        decidesBy(office, by, of) !== undefined && of.state === 'pending' && !suspended.has(of.userId);
      if (await walk.expects(may, () => access.refuse(by, of.id))) of.state = 'over';
    },
    async end() {
      if (requests.length === 0) return;
      const of = one(requests);
      const by = one(people.filter(({ id }) => !suspended.has(id)));
      const isOwn = by.id === of.userId;
      const may =
        of.state === 'active'
          ? isOwn || of.decidedBy === by.id || decidesBy(office, by, of) !== undefined
          : of.state === 'pending' && isOwn;
      if (await walk.expects(may, () => access.end(by, of.id))) of.state = 'over';
    },
    async expire() {
      if (requests.length === 0) return;
      const of = one(requests);
      await hasten(console, of.id, -1);
      of.state = 'over';
    },
    async suspend() {
      const person = one(people.slice(1));
      const isSuspended = !suspended.has(person.id);
      await members.change(owner, person.id, { isSuspended });
      if (isSuspended) {
        suspended.add(person.id);
        endThoseOf(person.id);
      } else suspended.delete(person.id);
    },
    async move() {
      const person = one(people.slice(1));
      const team = one(teams);
      const { companyId, id: userId } = person;
      if (team.roles.has(userId)) {
        await store.db
          .delete(teamMembers)
          .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.userId, userId)));
        team.roles.delete(userId);
        endThoseOf(userId, team);
      } else {
        const role = one([teamRoles.Viewer, teamRoles.TeamAdmin]);
        await console.join(companyId, team.id, userId, role);
        team.roles.set(userId, role);
      }
    },
  };
  await walk.go(steps, {
    length: 24,
    // Asking and approving come often enough to lead somewhere.
    often: ['ask', 'ask', 'ask', 'approve', 'approve', 'approve', 'approve'],
    async check() {
      for (const person of people.slice(1)) {
        const held = await grants.held(person, clusterId);
        const real = watched.flatMap((permission) =>
          places
            .filter((namespace) => held.may(permission, { namespace }))
            .map((place) => `${permission} ${place}`),
        );
        expect([walk.told, new Set(real)]).toEqual([walk.told, heldOf(office, person.id)]);
      }
    },
  });
}

provesByWalks(
  'nobody ever holds more or less than the rules allow, whatever was asked, approved, ended and revoked',
  { walks: rounds(12, 1_000) },
  walkAt,
);
