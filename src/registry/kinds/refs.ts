import type { RelatedObject } from './kind.ts';

/** An object as references identify it; the version does not matter. */
export type NamedObject = Pick<RelatedObject, 'apiVersion' | 'kind' | 'namespace' | 'name'>;

/** The API group of an apiVersion; empty for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** A key for an object that is equal for every way to refer to it: `apps Deployment shop/api`, `~ Node /n1`. */
export const refKey = ({ apiVersion, kind, namespace = '', name }: NamedObject): string =>
  `${groupOf(apiVersion) || '~'} ${kind} ${namespace}/${name}`;
