import { useQuery } from '@tanstack/react-query';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { sectionLink } from '../../kit/section-link.ts';
import type { Search } from '../../workspace/search.ts';

const sections = ['members', 'invitations', 'requests'] as const;
type Section = (typeof sections)[number];

const titles: Readonly<Record<Section, string>> = {
  members: 'Members',
  invitations: 'Invitations',
  requests: 'Asking for an invitation',
};

/** The section of the page that an address shows. */
export const sectionOf = ({ show }: Search): Section => sections.find((one) => one === show) ?? 'members';

interface SectionsProps {
  readonly current: Section;
  /** Number of members; undefined while they are read. */
  readonly members: number | undefined;
}

/** Links to the sections of the page, with the number of people in each. */
export function Sections({ current, members }: SectionsProps) {
  const { registry } = useCommands();
  const { queries } = useData();
  const { data } = useQuery(queries.invitations);
  const counts: Readonly<Record<Section, number | undefined>> = {
    members,
    invitations: data?.invitations.length,
    requests: data?.requests.length,
  };
  return (
    <nav aria-label="People">
      <ul className="flex flex-wrap gap-1">
        {sections.map((section) => (
          <li key={section}>
            <PlaceLink
              className={sectionLink}
              href={`${registry.href('members')}${section === 'members' ? '' : `?show=${section}`}`}
              aria-current={section === current ? 'page' : undefined}
            >
              {titles[section]}
              {counts[section] !== undefined && <span className="pl-1.5 text-text-3">{counts[section]}</span>}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
