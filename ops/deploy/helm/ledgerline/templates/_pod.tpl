{{/* Labels and annotations of a pod. */}}
{{- define "ledgerline.podMetadata" -}}
labels:
  {{- include "ledgerline.selector" . | nindent 2 }}
  {{- with mergeOverwrite (deepCopy .root.Values.podLabels) (.values.podLabels | default dict) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- $annotations := mergeOverwrite (deepCopy .root.Values.podAnnotations) (.values.podAnnotations | default dict) }}
{{- $catalog := .root.Values.catalog }}
{{- if and .sells $catalog.inline }}
{{- $_ := set $annotations "checksum/catalog" (toJson $catalog.inline | sha256sum) }}
{{- else if and .sells $catalog.existingConfigMap }}
{{- $_ := set $annotations "checksum/catalog" (printf "%s/%s %s" $catalog.existingConfigMap $catalog.key $catalog.revision) }}
{{- end }}
{{- if and .reports (not .root.Values.podMonitor.enabled) }}
{{- /* For a Prometheus that discovers pods by annotations. */}}
{{- $_ := set $annotations "prometheus.io/scrape" "true" }}
{{- $_ := set $annotations "prometheus.io/port" (toString .root.Values.metrics.port) }}
{{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* What a pod has beside its containers and volumes. `account`: the name of its service account. */}}
{{- define "ledgerline.podSettings" -}}
automountServiceAccountToken: false
{{- with .account }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- include "ledgerline.podSecurity" .root | nindent 2 }}
{{- with .values.terminationGracePeriodSeconds }}
terminationGracePeriodSeconds: {{ . }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* One pod on each host and in each zone after the other, for each revision. */}}
{{- define "ledgerline.spread" -}}
{{- if .values.topologySpreadConstraints }}
{{- toYaml .values.topologySpreadConstraints }}
{{- else }}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- include "ledgerline.selector" $ | nindent 6 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The volumes of a program beside those of its template: its secrets, what it writes, the catalogue, certificates, and the operator's own. */}}
{{- define "ledgerline.volumes" -}}
{{- $values := .root.Values -}}
{{- if .secrets }}
- {{- include "ledgerline.secretVolume" . | nindent 2 }}
{{- end }}
- { name: temporary, emptyDir: {} }
{{- if and .sells (or $values.catalog.inline $values.catalog.existingConfigMap) }}
- name: catalog
  configMap: { name: {{ $values.catalog.existingConfigMap | default (printf "%s-catalog" (include "ledgerline.name" .root)) }} }
{{- end }}
{{- if $values.caCertificates.configMap }}
- name: ca
  configMap: { name: {{ $values.caCertificates.configMap }} }
{{- else if $values.caCertificates.secret }}
- name: ca
  secret: { secretName: {{ $values.caCertificates.secret }} }
{{- end }}
{{- if and .reports $values.archive.existingClaim }}
- name: archive
  persistentVolumeClaim: { claimName: {{ $values.archive.existingClaim }} }
{{- end }}
{{- range concat $values.extraVolumes (.values.extraVolumes | default list) }}
- {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "ledgerline.volumeMounts" -}}
{{- $values := .root.Values -}}
{{- if .secrets }}
- { name: secrets, mountPath: /run/secrets, readOnly: true }
{{- end }}
- { name: temporary, mountPath: /tmp }
{{- if and .sells (or $values.catalog.inline $values.catalog.existingConfigMap) }}
- { name: catalog, mountPath: /etc/ledgerline/catalog, readOnly: true }
{{- end }}
{{- if or $values.caCertificates.configMap $values.caCertificates.secret }}
- { name: ca, mountPath: /etc/ledgerline/ca, readOnly: true }
{{- end }}
{{- if and .reports $values.archive.existingClaim }}
- { name: archive, mountPath: /var/lib/ledgerline/archive }
{{- end }}
{{- range concat $values.extraVolumeMounts (.values.extraVolumeMounts | default list) }}
- {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
