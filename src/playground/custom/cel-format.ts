import type { Optional } from '@marcbachmann/cel-js';
import { dns1035Problem, keyProblem, labelProblem, subdomainProblem, valueProblem } from '../kit/names.ts';
import { type CelExtension, succeeds } from './cel-extension.ts';
import { Link } from './cel-url.ts';

/** A named format of strings: `problem` says why a string does not have it. */
class Format {
  readonly problem: (text: string) => string | undefined;
  constructor(problem: (text: string) => string | undefined) {
    this.problem = problem;
  }
}
const prefixed = (problem: (text: string) => string | undefined) => (text: string) =>
  problem(text.endsWith('-') ? `${text.slice(0, -1)}a` : text);
const matching = (pattern: RegExp, why: string) => (text: string) => (pattern.test(text) ? undefined : why);
const formats: Readonly<Record<string, (text: string) => string | undefined>> = {
  dns1123Label: labelProblem,
  dns1123Subdomain: subdomainProblem,
  dns1035Label: dns1035Problem,
  qualifiedName: keyProblem,
  dns1123LabelPrefix: prefixed(labelProblem),
  dns1123SubdomainPrefix: prefixed(subdomainProblem),
  dns1035LabelPrefix: prefixed(dns1035Problem),
  labelValue: valueProblem,
  uri: (text) => (succeeds(() => new Link(text)) ? undefined : 'invalid URI'),
  uuid: matching(/^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i, 'does not match the UUID format'),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'invalid base64'),
  date: matching(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'invalid date'),
  datetime: (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt ]/.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : 'invalid datetime',
};

/** The type of the constant `format`. */
class Formats {
  readonly name = 'format';
}

/** Kubernetes' named formats, as `format.dns1123Label()`. */
export const namedFormats = (optionals: typeof Optional): CelExtension => ({
  types: { 'kubernetes.NamedFormat': Format, 'kubernetes.Formats': Formats },
  constants: [['format', 'kubernetes.Formats', new Formats()]],
  functions: {
    ...Object.fromEntries(
      Object.entries(formats).map(([name, problem]) => [
        `kubernetes.Formats.${name}(): kubernetes.NamedFormat`,
        () => new Format(problem),
      ]),
    ),
    'kubernetes.Formats.named(string): optional<kubernetes.NamedFormat>': (_of: Formats, name: string) => {
      const problem = formats[name];
      return problem === undefined ? optionals.none() : optionals.of(new Format(problem));
    },
    'kubernetes.NamedFormat.validate(string): optional<list<string>>': (
      { problem }: Format,
      text: string,
    ) => {
      const why = problem(text);
      return why === undefined ? optionals.none() : optionals.of([why]);
    },
  },
});
