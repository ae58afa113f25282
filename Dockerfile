# docker build -t go-ownership . && docker run --rm -v "$PWD:/games" go-ownership score game.sgf
# docker run --rm -p 8000:8000 go-ownership serve --host 0.0.0.0
FROM debian:12-slim
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends python3 python3-venv make gnugo \
    && rm -rf /var/lib/apt/lists/*
COPY . /opt/go-ownership
RUN make -C /opt/go-ownership demo && /opt/go-ownership/.venv/bin/ownership warm-up
WORKDIR /games
ENTRYPOINT ["/opt/go-ownership/.venv/bin/ownership"]
CMD ["--help"]
