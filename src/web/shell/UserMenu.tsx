import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useData } from '../data/port.ts';
import { initialsOf } from '../data/session.ts';
import { Optional } from '../kit/Optional.tsx';
import { avatar } from './sidebar-look.ts';
import { lazyPart } from '../kit/lazy-part.ts';

const load = () => import('./UserMenuContent.tsx');
const UserMenuContent = lazyPart(async () => (await load()).UserMenuContent);

/** The person's initials; pressing them opens their menu. */
export function UserMenu() {
  const { queries } = useData();
  const user = useQuery(queries.session).data;
  const [isWanted, setWanted] = useState(false);
  if (user === undefined || user === null) return null;
  const initials = initialsOf(user.name);
  const button = (
    <button
      type="button"
      className={avatar({ size: 'bar' })}
      aria-label={`${initials}, account of ${user.name}`}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onClick={() => setWanted(true)}
    >
      {initials}
    </button>
  );
  if (!isWanted) return button;
  return (
    <Optional what="The menu of your account" fallback={button} onMissing={() => setWanted(false)}>
      <UserMenuContent user={user} initials={initials} />
    </Optional>
  );
}
