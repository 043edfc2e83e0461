# Two images: `service` (the last, so the default) runs the API, the worker and the operators' tool; `sandbox` adds the
# stand-in for the native platform. What is compiled is what .dockerignore lets through: no tests, doubles or benches.
# No package's install script runs. The tag of Node moves: see "Image digests" in docs/operations.md.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .swcrc ./
COPY scripts ./scripts
COPY apps ./apps
COPY libs ./libs
ARG COMMIT
RUN COMMIT=$COMMIT npm run -s build:image

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund && npm run -s sbom > sbom.cdx.json

FROM node:24-bookworm-slim AS base
# With more arenas the allocator keeps some 90 MiB more of what threads have given back.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# Else SIGUSR1 opens an inspector before the app's first module has a listener (D113).
ENV NODE_OPTIONS=--disable-sigusr1
WORKDIR /app
COPY package.json ./
COPY --from=packages /app/sbom.cdx.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist/package.json ./dist/
COPY --from=build /app/dist/libs ./dist/libs
COPY --from=build /app/dist/apps/service ./dist/apps/service
# In digits, because Kubernetes does not look up whether a name is root (runAsNonRoot). They are the user node.
RUN mkdir -m 700 /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data

FROM base AS sandbox
COPY contracts ./contracts
COPY --from=build /app/dist/apps/platform-sandbox ./dist/apps/platform-sandbox
EXPOSE 4010
CMD ["node", "dist/apps/platform-sandbox/src/main.js"]

FROM base AS service
COPY --from=build /app/dist/apps/api ./dist/apps/api
COPY --from=build /app/dist/apps/dashboard ./dist/apps/dashboard
COPY --from=build /app/dist/apps/worker ./dist/apps/worker
COPY --from=build /app/dist/apps/cli ./dist/apps/cli
EXPOSE 3000
# A connection to a wildcard address, as which HOST may be set, is one to this machine.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "require('node:http').get({ host: process.env.HOST, port: process.env.PORT, path: '/health/live' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Not by npm, which would keep the signal to stop to itself.
CMD ["node", "dist/apps/api/src/main.js"]
