FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npx tsup && npx vite build && npm prune --omit=dev

# The npm of this image installs plugins: linnet plugins add.
FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production \
    LINNET_HOST=0.0.0.0 \
    LINNET_DATA_DIR=/data \
    LINNET_LOG_FORMAT=json
# Made here, so that a fresh volume belongs to the user that writes to it (uid 1000).
RUN install --directory --owner=node --group=node /data
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "const { LINNET_PORT, PORT } = process.env; fetch(`http://127.0.0.1:${LINNET_PORT || PORT || 8080}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
