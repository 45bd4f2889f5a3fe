// Completion, hover and hints for YAML by schema.
import 'monaco-yaml/yaml.worker.js';
