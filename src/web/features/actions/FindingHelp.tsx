import type { ObjectHelp } from '../../../contract/dashboard.ts';
import type { Finding } from '../../../contract/diagnosis.ts';
import type { Ref } from '../../../contract/objects.ts';
import type { IconName } from '../../../registry/icon-name.ts';
import { useCommands } from '../../core/commands.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { objectPath } from '../../data/object-path.ts';
import { Button, type ButtonVariant } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { qualifiedName, refIn } from './acting.ts';
import { HelpButton } from './HelpButton.tsx';
import { openBeside } from './open-beside.ts';

interface FindingHelpProps {
  readonly clusterId: number;
  readonly finding: {
    readonly [Part in 'next' | 'actions' | 'opens' | 'edits' | 'creates']?: Finding[Part] | undefined;
  };
  /** Objects open beside what shows now. */
  readonly isBeside?: boolean;
  readonly className?: string;
}

/**
 * What to do about a problem: a sentence, and buttons for actions, for missing objects to create, and for objects to
 * edit and to open. Nothing without any.
 */
export function FindingHelp({ clusterId, finding, isBeside = false, className = '' }: FindingHelpProps) {
  const { next, actions = [], opens = [], edits = [], creates = [] } = finding;
  const buttons = actions.length + opens.length + edits.length + creates.length;
  if (next === undefined && buttons === 0) return null;
  return (
    <div className={`flex min-w-0 flex-wrap items-center gap-1.5 ${className}`}>
      {next !== undefined && (
        <p className="w-full wrap-anywhere">
          <span className="text-text-2">Next step:</span> {next}
        </p>
      )}
      {actions.map((action) => (
        <HelpButton key={action.id} action={action} clusterId={clusterId} saysWhy />
      ))}
      <ObjectHelpButtons clusterId={clusterId} help={{ creates, edits, opens }} isBeside={isBeside} />
    </div>
  );
}

interface ObjectHelpButtonsProps {
  readonly clusterId: number;
  readonly help: ObjectHelp;
  readonly isBeside?: boolean;
  readonly variant?: ButtonVariant;
  /** Classes that the surroundings add to the labels. */
  readonly labelClass?: string;
}

/** Buttons that create, edit and open the objects by which a problem ends. */
export function ObjectHelpButtons({
  clusterId,
  help: { creates = [], edits = [], opens = [] },
  isBeside = false,
  variant = 'secondary',
  labelClass,
}: ObjectHelpButtonsProps) {
  const { services } = useCommands();
  const open = (ref: Ref, view?: string) => {
    const to = refIn(clusterId, ref);
    if (isBeside) openBeside(services, to, view);
    else services.objects.open(to, 'here', view);
  };
  const look = { variant, labelClass };
  return (
    <>
      {creates.map(({ ref, manifest }) => (
        <ObjectButton
          key={`create ${ref.kind} ${qualifiedName(ref)}`}
          {...look}
          verb="Create"
          icon="create"
          to={ref}
          onPress={() => services.create.open({ clusterId: String(clusterId), text: manifest })}
        />
      ))}
      {edits.map((ref) => (
        <ObjectButton
          key={`edit ${ref.kind} ${qualifiedName(ref)}`}
          {...look}
          verb="Edit"
          icon="edit"
          to={ref}
          onPress={() => open(ref, 'edit')}
        />
      ))}
      {opens
        .filter((ref) => objectPath(refIn(clusterId, ref)) !== undefined)
        .map((ref) => (
          <ObjectButton
            key={`open ${ref.kind} ${qualifiedName(ref)}`}
            {...look}
            verb="Open"
            icon="open"
            to={ref}
            onPress={() => open(ref)}
          />
        ))}
    </>
  );
}

interface ObjectButtonProps {
  readonly verb: 'Create' | 'Edit' | 'Open';
  readonly icon: IconName;
  readonly to: Ref;
  readonly variant: ButtonVariant;
  readonly labelClass: string | undefined;
  readonly onPress: () => void;
}

function ObjectButton({ verb, icon, to, variant, labelClass, onPress }: ObjectButtonProps) {
  const object = `${kindLabel(to.kind)} ${to.name}`;
  return (
    <Button
      size="sm"
      variant={variant}
      icon={<Icon name={icon} size={13} />}
      title={`${verb} ${object}`}
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
    >
      <span className={labelClass}>
        {verb} {object}
      </span>
    </Button>
  );
}
