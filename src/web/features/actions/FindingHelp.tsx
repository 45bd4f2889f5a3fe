import type { Creation, Finding } from '../../../contract/diagnosis.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useCommands } from '../../core/commands.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { objectPath } from '../../data/object-path.ts';
import { Button } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { qualifiedName, refIn } from './acting.ts';
import { HelpButton } from './HelpButton.tsx';
import { openBeside } from './open-beside.ts';

interface FindingHelpProps {
  readonly clusterId: number;
  readonly finding: { readonly [Part in 'actions' | 'opens' | 'creates']?: Finding[Part] | undefined };
  /** Objects open beside what shows now. */
  readonly isBeside?: boolean;
  readonly className?: string;
}

/** Buttons against the cause of a trouble: actions, missing objects to create, objects to open. Nothing without any. */
export function FindingHelp({ clusterId, finding, isBeside = false, className = '' }: FindingHelpProps) {
  const { actions = [], opens = [], creates = [] } = finding;
  if (actions.length + opens.length + creates.length === 0) return null;
  return (
    <div className={`flex min-w-0 flex-wrap items-center gap-1.5 ${className}`}>
      {actions.map((action) => (
        <HelpButton key={action.id} action={action} clusterId={clusterId} saysWhy />
      ))}
      {creates.map((one) => (
        <CreateButton
          key={`${one.ref.kind} ${qualifiedName(one.ref)}`}
          clusterId={clusterId}
          creation={one}
        />
      ))}
      {opens.map((one) => (
        <OpenButton
          key={`${one.kind} ${qualifiedName(one)}`}
          to={refIn(clusterId, one)}
          isBeside={isBeside}
        />
      ))}
    </div>
  );
}

interface CreateButtonProps {
  readonly clusterId: number;
  readonly creation: Creation;
}

/** Opens the dialog that creates resources with the manifest of an object that is missing. */
function CreateButton({ clusterId, creation: { ref, manifest } }: CreateButtonProps) {
  const { services } = useCommands();
  return (
    <Button
      size="sm"
      variant="secondary"
      icon={<Icon name="create" size={13} />}
      onClick={() => services.create.open({ clusterId: String(clusterId), text: manifest })}
    >
      Create {kindLabel(ref.kind)} {ref.name}
    </Button>
  );
}

/** Opens an object that has to do with the cause. */
function OpenButton({ to, isBeside }: { readonly to: ObjectRef; readonly isBeside: boolean }) {
  const { services } = useCommands();
  if (objectPath(to) === undefined) return null;
  return (
    <Button
      size="sm"
      variant="secondary"
      icon={<Icon name="open" size={13} />}
      onClick={() => (isBeside ? openBeside(services, to) : services.objects.open(to))}
    >
      Open {kindLabel(to.kind)} {to.name}
    </Button>
  );
}
