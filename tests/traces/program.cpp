/// The program girih_traces, which is all in a library (main.cpp).
extern "C" int girih_traces_main(int count, char** arguments);

int main(int count, char** arguments) { return girih_traces_main(count, arguments); }
