/** Every kind file, one line each: index.ts makes the list of them. */
export { deployment } from './deployment.ts';
export { event } from './event.ts';
export { namespace } from './namespace.ts';
export { node } from './node.ts';
export { pod } from './pod.ts';
export { replicaset } from './replicaset.ts';
export { secret } from './secret.ts';
export { service } from './service.ts';
export { statefulset } from './statefulset.ts';
