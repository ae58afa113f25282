"use strict";
// Files that are larger than one game: zip archives, and collections that the server reads in pieces.

const MOST_LISTED = 5000; // games of one file
const MOST_PIECE = 1000; // games that the server lists in one answer
const ENDINGS = at("file").dataset.endings.split(","); // of records
const [FILE_ENTRY, LIST_ENTRY, LIST_END] = [0x04034b50, 0x02014b50, 0x06054b50];

const isZip = (data) => data[0] === 0x50 && data[1] === 0x4b && data[2] === 3 && data[3] === 4;

// The records in an archive by their names; each is unpacked when it is read.
const archive = (data, name) => records(name, zipEntries(data, name), (entry) => ({ archive: data, entry }));

// The file of the entries of an archive or folder that have the ending of a record; `part` returns where one is read.
function records(name, entries, part) {
  const found = entries.filter((entry) => ENDINGS.some((ending) => entry.name.toLowerCase().endsWith(ending)));
  if (!found.length) throw new Error(say("no_records", { name }));
  const listed = found.slice(0, MOST_LISTED);
  return {
    name,
    count: found.length,
    games: listed.map((entry) => ({ file: entry.name })),
    parts: listed.map((entry) => ({ name: entry.name, number: 1, ...part(entry) })),
  };
}

// Name, method, size and place of each file, from the list at the end of a zip archive.
function zipEntries(data, name) {
  const view = new DataView(data.buffer);
  let end = data.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== LIST_END) end -= 1;
  if (end < 0) throw new Error(say("bad_archive", { name }));
  const entries = [];
  let place = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (place + 46 > data.length || view.getUint32(place, true) !== LIST_ENTRY) throw new Error(say("bad_archive", { name }));
    const [method, packed] = [view.getUint16(place + 10, true), view.getUint32(place + 20, true)];
    const [named, extra, said] = [28, 30, 32].map((at) => view.getUint16(place + at, true));
    const label = new TextDecoder().decode(data.subarray(place + 46, place + 46 + named));
    entries.push({ name: label, method, packed, start: view.getUint32(place + 42, true) });
    place += 46 + named + extra + said;
  }
  return entries;
}

async function unpack({ archive: data, entry: { name, method, packed, start } }) {
  const view = new DataView(data.buffer);
  if (start + 30 > data.length || view.getUint32(start, true) !== FILE_ENTRY) throw new Error(say("bad_archive", { name }));
  const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  const stored = data.subarray(from, from + packed);
  if (method === 0) return stored;
  const reader = new Blob([stored]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const chunks = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > MOST_OPENED) throw new Error(say("file_too_large", { name, size: `> ${MOST_OPENED >> 20}`, most: MOST_OPENED >> 20 }));
    chunks.push(read.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

// The places where the games of a collection begin: a "(" outside of all games and values.
function gameStarts(data) {
  const [open, close, value, end, escape] = [..."()[]\\"].map((letter) => letter.charCodeAt());
  const starts = [];
  let [depth, inValue] = [0, false];
  for (let at = 0; at < data.length; at += 1) {
    const byte = data[at];
    if (inValue) {
      if (byte === escape) at += 1;
      else if (byte === end) inValue = false;
    } else if (byte === value) inValue = depth > 0;
    else if (byte === open) {
      if (depth === 0) starts.push(at);
      depth += 1;
    } else if (byte === close) depth = Math.max(0, depth - 1);
  }
  return starts;
}

// Pieces of whole games, as large as the server reads.
function piecesOf(data, name) {
  const starts = gameStarts(data);
  if (data.length <= MOST_BYTES && starts.length <= MOST_PIECE) return [data];
  const pieces = [];
  let first = 0;
  starts.forEach((start, index) => {
    const end = starts[index + 1] ?? data.length;
    const isLast = index === starts.length - 1;
    const goesOn = !isLast && (starts[index + 2] ?? data.length) - starts[first] <= MOST_BYTES && index + 1 - first < MOST_PIECE;
    if (goesOn) return;
    pieces.push(data.subarray(starts[first], end));
    first = index + 1;
  });
  const large = pieces.length ? pieces.find(({ length }) => length > MOST_BYTES) : data;
  if (large) throw new Error(say("file_too_large", { name, size: Number((large.length / (1 << 20)).toFixed(1)), most: 1 }));
  return pieces;
}
