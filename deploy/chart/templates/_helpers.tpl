{{- define "wheelhouse.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "wheelhouse.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "wheelhouse.labels" -}}
{{ include "wheelhouse.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "wheelhouse.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "wheelhouse.host" -}}
{{- (urlParse .Values.url).host | splitList ":" | first -}}
{{- end }}

{{/* What no schema says in a sentence. */}}
{{- define "wheelhouse.check" -}}
{{- if not .Values.url }}{{ fail "Set url to the public origin of the console, for example https://console.example.org." }}{{ end }}
{{- if not .Values.embedded.enabled }}
{{- if not .Values.database.existingSecret }}{{ fail "Name the Secret that holds DATABASE_URL in database.existingSecret, or set embedded.enabled to try one server with a database of its own." }}{{ end }}
{{- if not .Values.secretKey.existingSecret }}{{ fail "Name the Secret that holds WHEELHOUSE_SECRET_KEY in secretKey.existingSecret." }}{{ end }}
{{- end }}
{{- if and (or .Values.metrics.serviceMonitor.enabled .Values.metrics.rules.enabled) (not .Values.metrics.existingSecret) }}{{ fail "Name the Secret that holds the bearer token for /metrics in metrics.existingSecret: a ServiceMonitor and rules need it." }}{{ end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}{{ fail "Name the Gateway in httpRoute.parentRefs." }}{{ end }}
{{- end }}
