import { describe, expect, test } from 'vitest';
import { fieldParts, placesOfFields } from '../../src/kube/field-place.ts';

const text = `apiVersion: apps/v1
metadata:
  annotations:
    example.org/a.b: x
spec:
  template: {spec: {containers: [{name: app, image: ""}]}}
  ports:
    - name: http
      port: 80
    - name: https
data:
  a.b: y
---
# nothing
---
kind: Second
`;

const placeOf = (field: string, document?: number) => {
  const [place] = placesOfFields(text, [field], document);
  return place === undefined ? undefined : `${place.line}:${place.column}`;
};

describe('the place of a field', () => {
  test.each([
    ['spec.ports[0].port', '9:7'],
    ['spec.ports[1].name', '10:7'],
    ['spec.template.spec.containers[0].image', '6:46'],
    ['data[a.b]', '12:3'],
    ['metadata.annotations[example.org/a.b]', '4:5'],
    ['metadata.annotations', '3:3'],
  ])('%s is found at %s', (field, place) => expect(placeOf(field)).toBe(place));

  test('is that of its nearest parent if the field is missing', () => {
    expect(placeOf('spec.ports[1].port')).toBe('10:7');
    expect(placeOf('spec.strategy.type')).toBe('5:1');
    expect(placeOf('spec.ports[7]')).toBe('7:3');
  });

  test('is undefined if no part of the path exists, or the text is invalid', () => {
    expect(placeOf('status.phase')).toBeUndefined();
    expect(placeOf('')).toBeUndefined();
    expect(placesOfFields('a: [', ['b'])).toEqual([undefined]);
    expect(placesOfFields('', ['b'])).toEqual([undefined]);
  });

  test('is searched in the requested document', () => expect(placeOf('kind', 1)).toBe('16:1'));

  test('is parsed from any path that a server writes', () => {
    expect(fieldParts('a.b[0][x.y].c')).toEqual(['a', 'b', '0', 'x.y', 'c']);
    expect(fieldParts('<nil>')).toEqual(['<nil>']);
    expect(fieldParts(']].[')).toEqual([]);
  });
});
