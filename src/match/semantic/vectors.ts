// Vectors of an embedder -> the same with length 1, so that a dot product is a cosine.

/** Throws unless one finite vector of the same length came for each text. */
export function checkedVectors(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  const size = vectors[0]?.length ?? 0;
  if (vectors.length !== count || size === 0)
    throw new Error(`${vectors.length} vectors came for ${count} texts`);
  return vectors.map((vector) => {
    let square = 0;
    for (const value of vector) square += value * value;
    if (vector.length !== size || !Number.isFinite(square))
      throw new Error('a vector is of another length than the first, or not finite');
    const length = Math.sqrt(square);
    return length === 0 ? vector : vector.map((value) => value / length);
  });
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
