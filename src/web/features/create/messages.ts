/**
 * Texts and dimensions of the dialog that creates resources, to the letter (specification sections 2, 4, 5, 8 and 9).
 */
export const createTexts = {
  title: 'Create Resource via YAML',
  selectCluster: 'Select cluster',
  apply: 'Apply',
  cancel: 'Cancel',
  create: 'Create Resource',
  creating: 'Creating...',
  valid: 'Valid',
  invalid: 'Invalid',
  nothingParsed: 'Enter valid YAML to see parsed values',
  invalidYaml: 'Invalid YAML. Please fix the errors before submitting.',
  clustersFailed: 'Failed to load clusters',
  created: 'Resource created successfully',
  fileName: 'resource.yaml',
  /** @param message the parser's */
  parseError: (message: string) => `Error: ${message}`,
  /** @param message why not */
  failed: (message: string) => `Failed to create resource: ${message}`,
} as const;

/** Pixels. */
export const editorHeight = 400;
