# One image for all processes: `npm run start:api`, `start:worker`, `start:sandbox`, and the operators' tool.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY .swcrc ./
COPY apps ./apps
COPY libs ./libs
COPY test/bench ./test/bench
COPY test/eventstoredb-double ./test/eventstoredb-double
COPY test/ferretdb ./test/ferretdb
COPY test/stores ./test/stores
RUN npm run -s build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY package.json ./
COPY contracts ./contracts
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which would keep the signal to stop to itself.
CMD ["node", "dist/apps/api/src/main.js"]
