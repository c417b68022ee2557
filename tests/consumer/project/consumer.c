/* A key, a signature and its verification in C. Returns 0 if all went well. */
#include <girih/girih.h>

int main(void)
{
    static uint8_t pk[1312], sk[2560], signature[2420];
    const uint8_t message[] = "hello";
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    size_t bytes = 0;
    if (girih_keygen(alg, NULL, pk, sizeof pk, sk, sizeof sk) != GIRIH_OK) return 1;
    if (girih_sign(alg, sk, sizeof sk, message, sizeof message, NULL, signature, sizeof signature, &bytes))
        return 2;
    return girih_verify(alg, pk, sizeof pk, message, sizeof message, NULL, signature, bytes) == GIRIH_OK ? 0
                                                                                                         : 3;
}
