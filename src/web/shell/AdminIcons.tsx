import { useQuery } from '@tanstack/react-query';
import { type Command, plainTitle } from '../../registry/commands/command.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { helpUrlOf } from '../data/help-url.ts';
import { isAdmin } from '../data/session.ts';
import { useKeyText } from '../keyboard/Keys.tsx';
import { buttonLook, IconButton } from '../kit/Button.tsx';
import { Icon } from '../kit/icons.tsx';
import { PlaceLink } from '../kit/Link.tsx';

/** Whether Help will lead somewhere: said with the page, while where to is asked once somebody is signed in. */
const isHelpToCome = document.querySelector('meta[name="wheelhouse-help"]') !== null;

/**
 * The icons at the right of the top bar, for admins only: the commands that have their place there. Help keeps its room
 * while it loads, so that nothing beside it moves under a finger.
 */
export function AdminIcons() {
  const { moment, registry } = useCommands();
  const { queries } = useData();
  const user = useQuery(queries.session).data;
  // Whether there is help follows from it.
  useQuery(queries.config);
  if (user === undefined || user === null || !isAdmin(user)) return null;
  return registry
    .at('topbar', isHelpToCome ? { ...moment.context(), help: 'named' } : moment.context(), moment.may())
    .map((command) => <BarIcon key={command.id} command={command} />);
}

function BarIcon({ command }: { readonly command: Command }) {
  const { run } = useCommands();
  const { queryClient, queries } = useData();
  const keys = useKeyText(command.id);
  const title = plainTitle(command);
  const look = {
    // A narrow bar has room for what is nowhere else: the person's menu has the others too.
    className: buttonLook({
      variant: 'transparent',
      isIcon: true,
      className: command.places?.includes('user-menu') === true ? 'narrow:hidden' : '',
    }),
    'aria-label': title,
    'data-tip': keys === undefined ? title : `${title}  ${keys}`,
  };
  const icon = <Icon name={command.icon} size={16} />;
  if (command.type === 'route')
    return (
      <PlaceLink {...look} href={command.path}>
        {icon}
      </PlaceLink>
    );
  if (command.id === 'help.community') {
    const url = helpUrlOf({ queryClient, queries });
    if (url === undefined) return <span className={`${look.className} invisible`} />;
    return (
      <a {...look} href={url} target="_blank" rel="noreferrer">
        {icon}
      </a>
    );
  }
  return (
    <IconButton label={title} keyHint={keys} onClick={() => run(command.id)}>
      {icon}
    </IconButton>
  );
}
