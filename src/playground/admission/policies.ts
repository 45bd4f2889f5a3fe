import type { World } from '../store/world.ts';
import { compareQuantities } from '../kit/quantity.ts';
import type { Resource } from '../registry/registry.ts';
import { forbidden } from '../kit/status.ts';
import { at, type Obj, str } from '../kit/values.ts';
import { checkLimits } from './limits.ts';
import { chargeQuotas } from './quota.ts';
import { checkSecurity } from './security-policy.ts';

const priorities = 'scheduling.k8s.io/priorityclasses';
const storageClasses = 'storage.k8s.io/storageclasses';

/** Refuses a second default priority class. */
function onlyDefault({ store }: World, resource: Resource, object: Obj): void {
  if (object['globalDefault'] !== true) return;
  const { name = '' } = object.metadata;
  const other = store
    .list(priorities)
    .find((one) => one['globalDefault'] === true && one.metadata.name !== name);
  if (other === undefined) return;
  const why = `PriorityClass ${other.metadata.name ?? ''} is already marked as default. Only one default can exist`;
  throw forbidden(resource, name, why);
}

/** Refuses to grow a claim whose storage class does not allow expansion. */
function growsWhereAllowed({ store }: World, resource: Resource, claim: Obj, before: Obj | undefined): void {
  if (before === undefined) return;
  const size = (item: Obj) => str(at(item, 'spec', 'resources', 'requests', 'storage'));
  if (size(before) === '' || size(claim) === '' || compareQuantities(size(claim), size(before)) <= 0) return;
  const { name = '' } = claim.metadata;
  if (at(before, 'status', 'phase') !== 'Bound')
    throw forbidden(resource, name, 'Only bound persistent volume claims can be expanded');
  const className = str(at(claim, 'spec', 'storageClassName'));
  if (store.get(storageClasses, className)?.['allowVolumeExpansion'] === true) return;
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw forbidden(resource, name, why);
}

/**
 * Refuses a valid write by a policy of the cluster: limit ranges, Pod Security, storage classes, quotas. Returns
 * a function that charges the quotas, to be called when the write is certain. Throws 403.
 */
export function admit(world: World, resource: Resource, object: Obj, before: Obj | undefined): () => void {
  checkLimits(world, resource, object, before === undefined);
  if (before === undefined) checkSecurity(world, resource, object);
  if (resource.storage === priorities) onlyDefault(world, resource, object);
  if (resource.storage === '/persistentvolumeclaims') growsWhereAllowed(world, resource, object, before);
  return chargeQuotas(world, resource, object, before);
}
