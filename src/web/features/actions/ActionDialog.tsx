import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useMemo, useState } from 'react';
import { actionById } from '../../../../commands/kinds/index.ts';
import type { Outcome } from '../../../contract/objects.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { type TypedName, typedNameOf } from '../../../registry/kinds/confirmation.ts';
import {
  argsFor,
  type Facts,
  isDangerous as destroys,
  type KindAction,
  neededArgs,
} from '../../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { fullKind } from '../../core/kinds/full.ts';
import { useForm } from '../../kit/use-form.ts';
import { useLongWait } from '../../kit/ScreenPending.tsx';
import { Button } from '../../kit/Button.tsx';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Note } from '../../kit/Note.tsx';
import { formLook } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icons.tsx';
import { isTyped, NameField } from '../../kit/NameField.tsx';
import { dialogArrived } from '../../kit/open-guards.ts';
import { clusterStyle, Glyph } from '../../kit/marks.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { type PendingAction, qualifiedName, plainRef } from './acting.ts';
import { ArgFields } from './ArgFields.tsx';
import {
  changedFields,
  type FieldValue,
  type Fields,
  type FormBasis,
  initialFields,
  isReviewedArg,
  isSameAs,
  noBasis,
  readFields,
} from './args.ts';
import { ChangePreview } from './ChangePreview.tsx';
import { DeletionEffects } from './DeletionEffects.tsx';
import { useActing } from './port.ts';
import { PlanPreview, usePlan } from './PlanPreview.tsx';
import { countOf, failedTitle, headingOf, plainAction } from './outcome.ts';
import { tellOutcomes } from './run-action.ts';
import { SubjectBox, type SubjectBoxProps } from './SubjectBox.tsx';
import { useActionStates, useRefusedActions } from './use-action-states.ts';
import { useGone } from './use-gone.ts';
import { WriterNotes } from './WriterNotes.tsx';
import type { RefusedAct } from '../../kit/use-why-not.ts';
import { WhyNotButton } from '../../kit/WhyNotButton.tsx';

interface ActionDialogProps {
  readonly acting: PendingAction;
  readonly onClose: () => void;
}

/** Asks for what an action needs: its arguments, and a confirmation that names what it is about. */
export function ActionDialog({ acting, onClose }: ActionDialogProps) {
  const { api, kinds } = useData();
  // The dialog that waits and the one that asks follow each other: what had the focus before the first gets it back.
  const [opener] = useState(() => document.activeElement);
  const action = actionById(acting.actionId);
  const [first] = acting.refs;
  const kind = fullKind(first.kind, kinds.of(first.cluster, first.kind));
  const takesArgs = neededArgs(action?.args).length > 0;
  // One object's form begins with what the object has; several have nothing in common.
  const needsObject = takesArgs && acting.refs.length === 1;
  const object = useQuery({
    queryKey: ['object', first],
    // The command of helm depends on where the release is stored.
    enabled: needsObject || (kind.source === 'helm' && acting.refs.length === 1),
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: ({ signal }) =>
      api.object(
        {
          params: { clusterId: Number(first.cluster), kind: first.kind, name: first.name },
          query: first.namespace === undefined ? {} : { namespace: first.namespace },
        },
        { signal },
      ),
  });
  if (action === undefined) return null;
  if (needsObject && object.isPending) {
    const title = headingOf(action, countOf(kind, [first.name]));
    return <Reading title={title} opener={opener} onClose={onClose} />;
  }
  const read = object.data as KubeObject | undefined;
  const basis: FormBasis =
    read === undefined
      ? noBasis
      : {
          facts: kind.facts?.(read) ?? {},
          labels: read.metadata?.labels ?? {},
          annotations: read.metadata?.annotations ?? {},
        };
  return (
    <ActionForm
      acting={acting}
      action={action}
      kind={kind}
      basis={basis}
      failure={needsObject ? object.error : null}
      opener={opener}
      onClose={onClose}
    />
  );
}

interface ReadingProps {
  readonly title: string;
  readonly opener: Element | null;
  readonly onClose: () => void;
}

/** Stands in for the form while the object is read, once that takes long enough to be seen. */
function Reading({ title, opener, onClose }: ReadingProps) {
  const isLong = useLongWait(true);
  if (!isLong) return null;
  const leave = () => {
    dialogArrived();
    onClose();
  };
  const cancel = (
    <Button variant="secondary" onClick={leave}>
      Cancel
    </Button>
  );
  return (
    <Dialog title={title} width="form" isWaiting opener={opener} onClose={leave} footer={cancel}>
      <Spinner label="Loading the object…" />
    </Dialog>
  );
}

interface GoneProps extends ReadingProps, SubjectBoxProps {}

/** Stands in for the form once there is nothing left to act on. */
function NothingLeftDialog({ title, refs, cluster, opener, onClose }: GoneProps) {
  const close = (
    <>
      <span className="min-w-0 flex-1" />
      <Button variant="secondary" acts onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog title={title} width="form" opener={opener} onClose={onClose} footer={close}>
      <SubjectBox refs={refs} cluster={cluster} />
      <p role="status">It no longer exists on the cluster: there is nothing left to change.</p>
    </Dialog>
  );
}

interface ActionFormProps extends ActionDialogProps {
  readonly action: KindAction;
  readonly kind: AnyKind;
  readonly basis: FormBasis;
  /** Why the object could not be read, if it could not. */
  readonly failure: unknown;
  readonly opener: Element | null;
}

/** Why an action cannot be done; with what the person lacks for it, where that is the reason. */
interface Verdict {
  readonly reason?: string;
  readonly refused?: RefusedAct;
}

/** What the server says of an action on its objects. */
function useVerdict({ refs, actionId }: PendingAction, action: KindAction, kind: AnyKind): Verdict {
  const states = useActionStates(refs);
  const isRefused = useRefusedActions(refs)?.includes(actionId) === true;
  const state = states.data?.find(({ id }) => id === actionId);
  if (typeof state?.enabled === 'string') return { reason: state.enabled };
  if (!states.isSuccess || state !== undefined) return {};
  const subject = countOf(
    kind,
    refs.map(({ name }) => name),
  );
  if (!isRefused) return { reason: `This cannot be done on ${subject}.` };
  const { cluster, namespace } = refs[0];
  return {
    reason: `You lack the permission to do this on ${subject}.`,
    refused: {
      what: plainAction(action),
      needs: action.needs ?? kind.permissions.manage,
      cluster,
      namespace,
    },
  };
}

function ActionForm({ acting, action, kind, basis, failure, opener, onClose }: ActionFormProps) {
  const { services } = useCommands();
  const { done } = useActing();
  const { api, queries } = useData();
  const { refs, actionId } = acting;
  const clusterId = Number(refs[0].cluster);
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => id === clusterId);
  const definitions = action.args ?? {};
  const [fields, setFields] = useState<Fields>(() => initialFields(definitions, basis, acting.args));
  const [isTried, setTried] = useState(false);
  const [typed, setTyped] = useState('');
  const [failed, setFailed] = useState<readonly Outcome[]>([]);
  const { reason, refused } = useVerdict(acting, action, kind);
  const read = readFields(definitions, fields, basis);
  const args = read.ok ? read.args : undefined;
  const isDangerous = destroys(action, args ?? {});
  const asked = typedNameOf({ action, args: args ?? {}, kind, refs, cluster, facts: basis.facts });
  const verb = plainAction(action);
  const subject = countOf(
    kind,
    refs.map(({ name }) => name),
  );

  const isJob = 'job' in action;
  const plan = usePlan(acting, isJob && reason === undefined ? args : undefined);
  const nameMissing =
    asked === undefined || isTyped(typed, asked.text) ? undefined : `Type ${asked.text} to confirm.`;
  const notPlanned = !isJob
    ? undefined
    : (plan.data?.blocked ?? (plan.data === undefined ? 'The preview is still loading.' : undefined));
  const unchanged =
    args !== undefined && isSameAs(definitions, args, basis) ? 'Nothing is changed yet.' : undefined;
  const blocked = reason ?? notPlanned ?? unchanged ?? nameMissing;

  const form = useForm(async () => {
    setTried(true);
    setFailed([]);
    if (args === undefined || blocked !== undefined) return;
    const { outcomes } = await api.runAction({
      params: { clusterId, actionId },
      body: {
        refs: refs.map(plainRef),
        args: { ...args },
        ...(asked?.of === 'cluster' ? { confirm: asked.text } : {}),
      },
    });
    const bad = outcomes.filter(({ ok }) => !ok);
    if (bad.length === outcomes.length && bad.length > 0) {
      // Nothing was done, or nobody knows: what was typed stays.
      setFailed(bad);
      return;
    }
    tellOutcomes({ ...services, done }, action, kind, outcomes, {
      id: refs[0].cluster,
      name: cluster?.name ?? '',
    });
    onClose();
  });

  const isGone = useGone(refs, form.isBusy);
  if (isGone) {
    const title = `${subject} was deleted`;
    return (
      <NothingLeftDialog title={title} refs={refs} cluster={cluster} opener={opener} onClose={onClose} />
    );
  }

  const heading = headingOf(action, subject);
  const title = isDangerous ? `${heading}?` : heading;
  const change = (name: string, value: FieldValue) =>
    setFields((known) => changedFields(definitions, basis, known, [name, value]));
  const formId = `action-${actionId}`;
  return (
    <Dialog
      title={title}
      width="form"
      icon={isDangerous && <Icon name={action.icon} size={16} />}
      opener={opener}
      role={isDangerous ? 'alertdialog' : 'dialog'}
      isDangerous={isDangerous || asked !== undefined || acting.isWarned === true}
      isReviewed={isDangerous || isReviewedArg(definitions)}
      isByText={acting.isByText === true}
      isProtected={cluster?.isProtected === true}
      {...(cluster === undefined ? {} : { style: clusterStyle(cluster.colour) })}
      onClose={onClose}
      isSticky={Object.keys(argsFor(definitions, kind)).length > 0}
      // Both are read out with the title: what is acted on, and what that means.
      description={
        <div className="flex flex-col gap-3">
          <SubjectBox refs={refs} cluster={cluster} />
          <p className="text-text-2">{action.description}</p>
        </div>
      }
      footer={
        <>
          <CopyCommand action={action} kind={kind} refs={refs} args={args} facts={basis.facts} />
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            acts
            variant={isDangerous ? 'danger' : 'primary'}
            isLoading={form.isBusy}
            loadingText="Working..."
            reason={blocked}
          >
            {refs.length > 1 ? heading : verb}
          </Button>
        </>
      }
    >
      <form id={formId} className={formLook} onSubmit={form.submit} noValidate>
        {acting.isStale === true && <StaleNote />}
        <ErrorAlert error={failure} />
        <ErrorAlert message={reason}>{refused && <WhyNotButton refused={refused} />}</ErrorAlert>
        {/* What cannot be done needs no arguments: the reason is all there is to say. */}
        {reason === undefined && (
          <ArgFields
            definitions={argsFor(definitions, kind)}
            fields={fields}
            issues={isTried && !read.ok ? read.issues : {}}
            self={refs[0]}
            basis={basis}
            onChange={change}
          />
        )}
        {asked !== undefined && (
          <ConfirmingName asked={asked} verb={verb} value={typed} onChange={setTyped} />
        )}
        <ErrorAlert error={form.failure} />
        <ErrorAlert
          title={failed.length === 0 ? '' : failedTitle(failed)}
          message={failed
            .map(({ ref, message }) => (refs.length > 1 ? `${qualifiedName(ref)}: ${message}` : message))
            .join('\n')}
        />
        {action.deletes === true && reason === undefined && (
          <DeletionEffects refs={refs} propagation={args?.['propagation']} />
        )}
        {isJob && args !== undefined && reason === undefined && <PlanPreview plan={plan} />}
        {!isJob && args !== undefined && reason === undefined && (
          <ActionOutlook acting={acting} action={action} kind={kind} args={args} />
        )}
      </form>
    </Dialog>
  );
}

interface ActionOutlookProps {
  readonly acting: PendingAction;
  readonly action: KindAction;
  readonly kind: AnyKind;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The next writers of an action's objects, and the changes that the action would make. */
function ActionOutlook({ acting, action, kind, args }: ActionOutlookProps) {
  const { refs, actionId } = acting;
  // Of a pod that is deleted the effects say what makes another.
  const isSaid = action.deletes === true && kind.deletionReaches === 'maker';
  return (
    <>
      {!isSaid && <WriterNotes refs={refs} action={{ id: actionId, args }} title="Who writes it next" />}
      <ChangePreview key={JSON.stringify(args)} acting={acting} args={args} />
    </>
  );
}

/** Says that what showed of the objects may be out of date. */
function StaleNote() {
  return (
    <Note tone="warn" role="status">
      <Glyph tone="warn" size={13} />
      <span className="min-w-0 flex-1">The view may be stale: the cluster may have changed since.</span>
    </Note>
  );
}

interface CopyCommandProps {
  readonly action: KindAction;
  readonly kind: AnyKind;
  readonly refs: PendingAction['refs'];
  /** Undefined while a field is not valid. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** Of the object; empty where several are meant. */
  readonly facts: Facts;
}

/** Copies the commands of kubectl or helm that do the same; absent where there are none. */
function CopyCommand({ action, kind, refs, args, facts }: CopyCommandProps) {
  const lines = useMemo(
    () =>
      args === undefined
        ? []
        : refs.flatMap(
            ({ namespace, name }) => action.kubectl({ ...kind, namespace, name }, args as never, facts) ?? [],
          ),
    [action, kind, refs, args, facts],
  );
  if (lines.length === 0) return null;
  return (
    <CopyButton text={() => lines.join('\n')}>
      {kind.source === 'helm' ? 'Copy as helm' : 'Copy as kubectl'}
    </CopyButton>
  );
}

interface ConfirmingNameProps {
  readonly asked: TypedName;
  readonly verb: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Asks for the one text that confirms: the name of a protected cluster, or of what holds much, or how many there are. */
function ConfirmingName({ asked: { of, text }, verb, value, onChange }: ConfirmingNameProps) {
  const act = verb.toLowerCase();
  const label =
    of === 'cluster' ? (
      <span className="flex min-w-0 items-center gap-1.5">
        <Lock size={12} strokeWidth={1.75} aria-hidden="true" />
        <span>
          {text} is protected. Type its name to {act}.
        </span>
      </span>
    ) : (
      <span>
        Type <b className="font-semibold wrap-anywhere">{text}</b>
        {of === 'count' ? ', the number of objects,' : ''} to {act}.
      </span>
    );
  return <NameField label={label} value={value} onChange={onChange} />;
}
