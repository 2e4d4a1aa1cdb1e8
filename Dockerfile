# An image of nothing but the program and the certificates of public authorities, for a user
# who is not root. goreleaser builds it; by hand: CGO_ENABLED=0 go build -o linux/amd64/ . &&
# docker build --platform linux/amd64 .
FROM --platform=$BUILDPLATFORM alpine:3.23.4@sha256:5b10f432ef3da1b8d4c7eb6c487f2f5a8f096bc91145e68878dd4a5019afde11 AS files
RUN mkdir -p /writable/home/reseller && mkdir -m 1777 /writable/tmp

FROM scratch
ARG TARGETPLATFORM
COPY --from=files /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=files --chown=65532:65532 /writable /
COPY $TARGETPLATFORM/reseller /usr/bin/reseller
ENV HOME=/home/reseller
WORKDIR /home/reseller
USER 65532:65532
ENTRYPOINT ["/usr/bin/reseller"]
