import { isDeepStrictEqual } from 'node:util';
import type { Environment, Optional } from '@marcbachmann/cel-js';
import { compareQuantities } from '../kit/quantity.ts';
import { lists, sets } from './cel-collections.ts';
import type { CelExtension } from './cel-extension.ts';
import { namedFormats } from './cel-format.ts';
import { network } from './cel-network.ts';
import { quantities, Quantity } from './cel-quantity.ts';
import { versions } from './cel-semver.ts';
import { strings } from './cel-strings.ts';
import { urls } from './cel-url.ts';

const equal = (a: unknown, b: unknown) =>
  a instanceof Quantity && b instanceof Quantity
    ? compareQuantities(a.text, b.text) === 0
    : isDeepStrictEqual(a, b);

/** Adds Kubernetes' CEL functions to an environment. */
export function withLibraries(environment: Environment, optionals: typeof Optional): Environment {
  const extensions: readonly CelExtension[] = [
    quantities,
    network,
    versions,
    sets,
    namedFormats(optionals),
    urls,
    strings,
    lists(optionals),
  ];
  for (const { types = {} } of extensions) {
    for (const [name, type] of Object.entries(types)) environment.registerType(name, type);
  }
  for (const { constants = [], comparable = [], functions } of extensions) {
    for (const constant of constants) environment.registerConstant(...constant);
    for (const type of comparable) environment.registerOperator(`${type} == ${type}`, equal);
    for (const [signature, handler] of Object.entries(functions)) {
      environment.registerFunction(signature, handler as (...args: unknown[]) => unknown);
    }
  }
  return environment;
}
