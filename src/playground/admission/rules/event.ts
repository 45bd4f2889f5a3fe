import { type Cause, cause } from '../../kit/status.ts';
import { at, rec, type Rec, str } from '../../kit/values.ts';
import { keyProblem } from '../../kit/names.ts';
import { empty, type Check, type RuleSet } from './rule.ts';

const MAX_FIELD_LENGTH = 128;
const MAX_NOTE_LENGTH = 1024;

/** Checks that an event is in the namespace of its object. `objectField`: the field that refers to the object. */
function namespaceCauses(event: Rec, objectField: string): Cause[] {
  const namespace = str(at(event, objectField, 'namespace'));
  const eventNamespace = str(at(event, 'metadata', 'namespace'));
  const isNewApi = !empty(event['eventTime']);
  const cluster = eventNamespace === 'default' || (isNewApi && eventNamespace === 'kube-system');
  const fits = namespace === '' ? cluster : isNewApi || namespace === eventNamespace;
  const why = 'does not match event.namespace';
  return fits ? [] : [cause.invalid('involvedObject.namespace', namespace, why)];
}

/** Checks the fields that an event with an `eventTime` requires. */
function requiredFieldCauses(event: Rec): Cause[] {
  const causes: Cause[] = [];
  const component = str(event['reportingComponent']);
  if (component === '') causes.push(cause.required('reportingComponent'));
  const problem = keyProblem(component);
  if (problem !== undefined) causes.push(cause.invalid('reportingComponent', component, problem));
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    const given = str(event[field]);
    if (given === '') causes.push(cause.required(field));
    if (given.length > MAX_FIELD_LENGTH) {
      causes.push(cause.invalid(field, '', `can have at most ${MAX_FIELD_LENGTH} characters`));
    }
  }
  if (str(event['message']).length > MAX_NOTE_LENGTH) {
    causes.push(cause.invalid('message', '', `can have at most ${MAX_NOTE_LENGTH} characters`));
  }
  return causes;
}

const core: Check = (value) => {
  const event = rec(value);
  const causes = namespaceCauses(event, 'involvedObject');
  return empty(event['eventTime']) ? causes : [...causes, ...requiredFieldCauses(event)];
};

/** Rules of events. */
export const eventRules: RuleSet = { 'io.k8s.api.core.v1.Event': { '*': core } };

/**
 * The causes for which events.k8s.io refuses a new event: those of its stored form under that API's field names,
 * and the deprecated fields that are set.
 */
export function newerEventCauses(event: Rec, stored: readonly Cause[]): Cause[] {
  const causes = stored.map((one) =>
    one.field === 'reportingComponent' ? { ...one, field: 'reportingController' } : one,
  );
  if (empty(event['eventTime'])) causes.push(cause.required('eventTime'));
  const type = str(event['type']);
  if (type !== 'Normal' && type !== 'Warning') {
    causes.push(cause.invalid('type', '', `has invalid value: ${type}`));
  }
  const unset = (field: string, given: unknown) => {
    if (!empty(given)) causes.push(cause.invalid(field, '', 'needs to be unset'));
  };
  unset('firstTimestamp', event['deprecatedFirstTimestamp']);
  unset('lastTimestamp', event['deprecatedLastTimestamp']);
  unset('count', event['deprecatedCount']);
  unset('source', event['deprecatedSource']);
  return causes;
}
