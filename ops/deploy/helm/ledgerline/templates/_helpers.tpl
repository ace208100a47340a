{{/* A part of the service is passed as (dict "root" $ "part" "api" "values" .Values.api "secrets" (list "database_url") ...). */}}

{{- define "ledgerline.name" -}}
{{- printf "%s" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "ledgerline.labels" -}}
app.kubernetes.io/name: ledgerline
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* What selects the pods of a part, and of one version of workers. */}}
{{- define "ledgerline.selector" -}}
app.kubernetes.io/name: ledgerline
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- with .build }}
ledgerline/build: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* The part's image; a version of workers may have its own. */}}
{{- define "ledgerline.image" -}}
{{- $image := mergeOverwrite (deepCopy .root.Values.image) (.image | default dict) -}}
{{- if and .image .image.tag (not .image.digest) }}{{ $_ := set $image "digest" "" }}{{ end -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "ledgerline.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "ledgerline.name" .) }}
{{- else -}}
{{ .Values.serviceAccount.name }}
{{- end -}}
{{- end -}}

{{- define "ledgerline.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "ledgerline.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* The secrets of a part, as a list of the variable, the file, and the secret with the key that it comes from. */}}
{{- define "ledgerline.secretItems" -}}
{{- $own := .root.Values.existingSecret -}}
{{- $items := list -}}
{{- range $name := .secrets -}}
  {{- $place := get $.root.Values.secrets $name -}}
  {{- /* Only behind PgBouncer. */ -}}
  {{- if and (eq $name "database_direct_url") (not $place) }}{{ continue }}{{ end -}}
  {{- if kindIs "map" $place -}}
    {{- $items = append $items (dict "variable" (upper $name) "file" $name "secret" $place.secret "key" $place.key) -}}
  {{- else if not (kindIs "bool" $place) -}}
    {{- $items = append $items (dict "variable" (upper $name) "file" $name "secret" $own "key" ($place | default $name)) -}}
  {{- end -}}
{{- end -}}
{{- if .sells -}}
  {{- range $variable, $place := .root.Values.vendorKeys -}}
    {{- $file := lower $variable -}}
    {{- if kindIs "map" $place -}}
      {{- $items = append $items (dict "variable" $variable "file" $file "secret" $place.secret "key" $place.key) -}}
    {{- else -}}
      {{- $items = append $items (dict "variable" $variable "file" $file "secret" $own "key" $place) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- toJson $items -}}
{{- end -}}

{{/* The volume of the part's secrets: a missing key keeps the pod from starting. */}}
{{- define "ledgerline.secretVolume" -}}
name: secrets
projected:
  defaultMode: 0440
  sources:
    {{- $bySecret := dict }}
    {{- range include "ledgerline.secretItems" . | fromJsonArray }}
    {{- $_ := set $bySecret .secret (append (get $bySecret .secret | default list) (dict "key" .key "path" .file)) }}
    {{- end }}
    {{- range $secret, $items := $bySecret }}
    - secret:
        name: {{ $secret }}
        items:
          {{- range $items }}
          - { key: {{ .key | quote }}, path: {{ .path }} }
          {{- end }}
    {{- end }}
{{- end -}}

{{/* The variables of a program. `sells`: the catalogue and its vendors' keys; `reports`: metrics; `env`: variables of the part itself. */}}
{{- define "ledgerline.environment" -}}
{{- $values := .root.Values -}}
- name: TEMPORAL_ADDRESS
  value: {{ $values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ $values.temporal.namespace | quote }}
{{- if .reports }}
- name: METRICS_PORT
  value: {{ $values.metrics.port | quote }}
- name: METRICS_HOST
  value: 0.0.0.0
{{- end }}
{{- if $values.model.enabled }}
- name: EMBEDDED_URL
  value: http://{{ include "ledgerline.name" .root }}-model:4100/v1
{{- end }}
{{- if and .sells (or $values.catalog.inline $values.catalog.existingConfigMap) }}
- name: MODEL_CATALOG_FILE
  value: /etc/ledgerline/catalog/{{ $values.catalog.key }}
{{- end }}
{{- if and .reports $values.archive.existingClaim }}
- name: ARCHIVE_FOLDER
  value: /var/lib/ledgerline/archive
{{- end }}
{{- include "ledgerline.commonEnvironment" . }}
{{- range include "ledgerline.secretItems" . | fromJsonArray }}
- name: {{ .variable }}_FILE
  value: /run/secrets/{{ .file }}
{{- end }}
{{- with .env }}
{{ toYaml . }}
{{- end }}
{{- with .values.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The variables of every program, also of those without a secret. */}}
{{- define "ledgerline.commonEnvironment" -}}
{{- $ca := .root.Values.caCertificates -}}
{{- if or $ca.configMap $ca.secret }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/ledgerline/ca/{{ $ca.key }}
{{- end }}
{{- range $name, $value := .root.Values.environment }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{/* Why these values cannot work, as the first sentence that applies. */}}
{{- define "ledgerline.refuse" -}}
{{- $values := .Values -}}
{{- if and (or $values.ingress.enabled $values.httpRoute.enabled) (not $values.trustedProxies) -}}
  {{- fail "trustedProxies is empty: with an ingress or an HTTPRoute every caller would have the proxy's address. Set the addresses of its pods, for example --set trustedProxies=10.42.0.0/16" -}}
{{- end -}}
{{- if and $values.httpRoute.enabled (not $values.httpRoute.parentRefs) -}}
  {{- fail "httpRoute.parentRefs is empty: name the Gateway that the route belongs to, for example [{ name: public, namespace: gateways }]" -}}
{{- end -}}
{{- if and $values.catalog.inline $values.catalog.existingConfigMap -}}
  {{- fail "catalog.inline and catalog.existingConfigMap are both set: the catalogue has one file, so set one of them" -}}
{{- end -}}
{{- if and $values.catalog.inline (not (and $values.catalog.inline.upstreams $values.catalog.inline.models)) -}}
  {{- fail "catalog.inline has no upstreams or no models: see `A complete catalogue file` in docs/operate/models.md" -}}
{{- end -}}
{{- if and $values.caCertificates.configMap $values.caCertificates.secret -}}
  {{- fail "caCertificates.configMap and caCertificates.secret are both set: NODE_EXTRA_CA_CERTS is one file, so set one of them" -}}
{{- end -}}
{{- if and $values.archive.afterDays (not $values.archive.existingClaim) (kindIs "bool" $values.secrets.files_s3_url) -}}
  {{- fail "archive.afterDays without a place for the months: they go to the store of files_s3_url, which is false, or into archive.existingClaim" -}}
{{- end -}}
{{- if and $values.engines.enabled (not $values.model.enabled) (not $values.engines.existingClaim) -}}
  {{- fail "engines.enabled without model.enabled: the model's pod fetches the engines. Enable it, or name a claim that has them in engines.existingClaim" -}}
{{- end -}}
{{- if and $values.worker.previous (not $values.worker.buildId) -}}
  {{- fail "worker.previous without worker.buildId: workers without a version would take the tasks of all runs. Set worker.buildId, for example to the image's tag" -}}
{{- end -}}
{{- $builds := list (include "ledgerline.buildName" $values.worker.buildId) -}}
{{- range $values.worker.previous -}}
  {{- $build := include "ledgerline.buildName" .buildId -}}
  {{- if has $build $builds }}{{ fail (printf "worker.previous: %s has the name of another version" .buildId) }}{{ end -}}
  {{- $builds = append $builds $build -}}
{{- end -}}
{{- end -}}

{{/* A version of workers in names and labels: 0.2.0 is 0-2-0. */}}
{{- define "ledgerline.buildName" -}}
{{- regexReplaceAll "[^a-z0-9]+" (lower .) "-" | trunc 20 | trimAll "-" -}}
{{- end -}}
